import type { SeqRange } from '@palimpsest/lcm'
import { type FrontierContext, isInstructionRole, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { type Lineage, multirange, readMessages } from './lineage.ts'
import { type CoverRow, findCovers } from './summary-rows.ts'

/** Messages whose roles are read at a time: few histories begin with more than two instructions. */
const PAGE_ROWS = 8

/**
 * What a frontier of a session is checked against: the session as it will be then. Reads what the check is going to
 * ask for: the listed summaries, and the roles from the first message to the first that is no instruction.
 */
export async function frontierContext(
  sql: Sql,
  lineage: Lineage,
  { nextSeq, replaced }: { readonly nextSeq: number; readonly replaced: readonly SeqRange[] },
  summaries: readonly number[],
): Promise<FrontierContext<CoverRow>> {
  const covers = await findCovers(sql, lineage, summaries)
  const roles = summaries.length === 0 ? new Map() : await leadingRoles(sql, lineage, replaced)
  return { nextSeq, replaced, roleOf: (seq) => roles.get(seq), find: (number) => covers.get(number) }
}

async function leadingRoles(
  sql: Sql,
  lineage: Lineage,
  replaced: readonly SeqRange[],
): Promise<ReadonlyMap<number, string>> {
  type Row = { readonly seq: number; readonly role: string }
  const roles = new Map<number, string>()
  const query = `SELECT seq, role FROM lcm_message
    WHERE session = $1 AND seq BETWEEN $2 AND $3 AND NOT seq <@ $4::int4multirange ORDER BY seq LIMIT $5`
  for (let first = 0; ; ) {
    const rows = await readMessages(
      lineage,
      { first, limit: PAGE_ROWS },
      replaced,
      (segment, low, high, limit) =>
        sql.all<Row>(query, segment.session, low, high, multirange(replaced), limit),
    )
    for (const { seq, role } of rows) roles.set(seq, unpackName(role))
    const last = rows.at(-1)
    if (last === undefined || !isInstructionRole(roles.get(last.seq))) return roles
    first = last.seq + 1
  }
}
