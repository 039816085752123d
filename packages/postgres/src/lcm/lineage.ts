import type { SeqRange } from '@palimpsest/lcm'
import {
  type Lineage,
  lineageOf,
  nextLive,
  type Origin,
  previousLive,
  type RowRange,
  type Segment,
  segmentParts,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import type { SessionRow } from './session-row.ts'

/** Follows a session to the one that was forked from none. */
export async function readLineage(sql: Sql, session: Origin & Pick<SessionRow, 'parent'>): Promise<Lineage> {
  // Most are forked from none, and need not be asked for it.
  if (session.parent === null) return lineageOf([session])
  const origins = await sql.all<Origin>(
    `WITH RECURSIVE line AS (
       SELECT no, parent, fork_seq, fork_summary, 0 AS step FROM lcm_session WHERE no = $1
       UNION ALL
       SELECT origin.no, origin.parent, origin.fork_seq, origin.fork_summary, step + 1
       FROM line JOIN lcm_session AS origin ON origin.no = line.parent
     ) SELECT no, fork_seq, fork_summary FROM line ORDER BY step`,
    session.no,
  )
  return lineageOf(origins)
}

/** Reads the rows of a segment between two numbers, both inclusive, in the range's order. */
type ReadRows<Row> = (segment: Segment, first: number, last: number, limit: number) => Promise<readonly Row[]>

/** Messages of a lineage in order. `replaced`: the ranges that `read` leaves out; long ones are stepped over here. */
export function readMessages<Row>(
  lineage: Lineage,
  range: RowRange,
  replaced: readonly SeqRange[],
  read: ReadRows<Row>,
): Promise<Row[]> {
  return readRows(lineage, 'Seq', range, async (segment, low, high, limit) => {
    const [first, last] = [nextLive(replaced, low), previousLive(replaced, high)]
    return first > last ? [] : read(segment, first, last, limit)
  })
}

/** Messages or summaries of a lineage in order. */
export async function readRows<Row>(
  lineage: Lineage,
  numbers: 'Seq' | 'Summary',
  range: RowRange,
  read: ReadRows<Row>,
): Promise<Row[]> {
  const { parts, limit } = segmentParts(lineage, range, numbers)
  const rows: Row[] = []
  for (const { segment, first, last } of parts)
    if (rows.length < limit)
      for (const row of await read(segment, first, last, limit - rows.length)) rows.push(row)
  return rows
}

/** Ranges as a value of PostgreSQL's `int4multirange`: a row is left out when its number is in one of them. */
export function multirange(ranges: readonly SeqRange[]): string {
  return `{${ranges.map(({ first, last }) => `[${first},${last}]`).join()}}`
}
