import {
  isInstructionRole,
  type KnownRows,
  type Lineage,
  unpackName,
  type WritePlan,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { multirange, readMessages } from './lineage.ts'
import { insertMessages } from './message-rows.ts'
import { type LockedSession, updateSession } from './session-row.ts'
import { findCovers, insertSummaries } from './summary-rows.ts'

/** Writes what was planned for a session that is there and locked: with the commit, so that no statement sees it. */
export function writePlan(
  sql: Sql,
  { no, principal }: Pick<LockedSession, 'no' | 'principal'>,
  plan: WritePlan,
): void {
  insertMessages(sql, { no, principal }, plan.messages)
  insertSummaries(sql, { no, principal }, plan.summaries)
  for (const { version, reason, nextSeq, at, summaries } of plan.frontiers)
    sql.later(
      `INSERT INTO lcm_frontier (session, version, principal, reason, next_seq, at, summaries)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      ...[no, version, principal, reason, nextSeq, at, summaries],
    )
  updateSession(sql, no, plan.session)
}

/** Messages whose roles are read at a time: few histories begin with more than two instructions. */
const PAGE_ROWS = 8

/** The rows that a plan is checked against: the covers of the summaries that its input names, and the first roles. */
export async function knownRows(
  sql: Sql,
  lineage: Lineage,
  { replaced }: LockedSession['session'],
  named: { readonly frontier?: readonly number[]; readonly children?: readonly number[] },
): Promise<KnownRows> {
  const { frontier = [], children = [] } = named
  const covers = await findCovers(sql, lineage, [...frontier, ...children])
  const roles = new Map<number, string>()
  const query = `SELECT seq, role FROM lcm_message
    WHERE session = $1 AND seq BETWEEN $2 AND $3 AND NOT seq <@ $4::int4multirange ORDER BY seq LIMIT $5`
  for (let first = 0; frontier.length > 0; ) {
    type Row = { readonly seq: number; readonly role: string }
    const rows = await readMessages(
      lineage,
      { first, limit: PAGE_ROWS },
      replaced,
      (segment, low, high, limit) =>
        sql.all<Row>(query, segment.session, low, high, multirange(replaced), limit),
    )
    for (const { seq, role } of rows) roles.set(seq, unpackName(role))
    const last = rows.at(-1)
    if (last === undefined || !isInstructionRole(roles.get(last.seq))) break
    first = last.seq + 1
  }
  return { roleOf: (seq) => roles.get(seq), coverOf: (number) => covers.get(number) }
}
