import type { SeqRange } from '@palimpsest/lcm'
import { nextLive, previousLive } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { LAST_NUMBER, rowLimit } from './row-numbers.ts'
import type { SessionRow } from './session-row.ts'

/** What one session of a lineage gives to it. Numbers are inclusive. */
export interface Segment {
  readonly session: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly firstSummary: number
  readonly lastSummary: number
}

/** A session and those that it was forked from, the session itself first. It never changes. */
export type Lineage = readonly Segment[]

/** Follows a session to the one that was forked from none. */
export async function readLineage(sql: Sql, session: Origin & Pick<SessionRow, 'parent'>): Promise<Lineage> {
  // Most are forked from none, and need not be asked for it.
  const rows = session.parent === null ? [session] : await readOrigins(sql, session.no)
  let lastSeq = LAST_NUMBER
  let lastSummary = LAST_NUMBER
  return rows.map(({ no: session, fork_seq: firstSeq, fork_summary: firstSummary }) => {
    const segment = { session, firstSeq, lastSeq, firstSummary, lastSummary }
    lastSeq = Math.min(lastSeq, firstSeq - 1)
    lastSummary = firstSummary - 1
    return segment
  })
}

/** Where a session of a lineage begins. */
type Origin = Pick<SessionRow, 'no' | 'fork_seq' | 'fork_summary'>

function readOrigins(sql: Sql, no: number): Promise<Origin[]> {
  return sql.all<Origin>(
    `WITH RECURSIVE line AS (
       SELECT no, parent, fork_seq, fork_summary, 0 AS step FROM lcm_session WHERE no = $1
       UNION ALL
       SELECT origin.no, origin.parent, origin.fork_seq, origin.fork_summary, step + 1
       FROM line JOIN lcm_session AS origin ON origin.no = line.parent
     ) SELECT no, fork_seq, fork_summary FROM line ORDER BY step`,
    no,
  )
}

/** Where a summary is; undefined when no summary can have the number. */
export function summarySegment(lineage: Lineage, number: number): Segment | undefined {
  if (!Number.isInteger(number)) return undefined
  return lineage.find(({ firstSummary, lastSummary }) => firstSummary <= number && number <= lastSummary)
}

/** Which rows of a lineage to read. */
export interface RowRange {
  readonly first?: number | undefined
  readonly last?: number | undefined
  readonly order?: 'newest' | 'oldest' | undefined
  readonly limit: number
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
  return readSegments(lineage, range, 'Seq', async (segment, low, high, limit) => {
    const [first, last] = [nextLive(replaced, low), previousLive(replaced, high)]
    return first > last ? [] : read(segment, first, last, limit)
  })
}

/** Summaries of a lineage in order. */
export function readSummaries<Row>(lineage: Lineage, range: RowRange, read: ReadRows<Row>): Promise<Row[]> {
  return readSegments(lineage, range, 'Summary', read)
}

async function readSegments<Row>(
  lineage: Lineage,
  { first = 0, last = LAST_NUMBER, order = 'oldest', limit }: RowRange,
  numbers: 'Seq' | 'Summary',
  read: ReadRows<Row>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const segment of order === 'newest' ? lineage : lineage.toReversed()) {
    const wanted = rowLimit(limit) - rows.length
    const low = Math.max(segment[`first${numbers}`], Math.ceil(first))
    const high = Math.min(segment[`last${numbers}`], Math.floor(last))
    if (wanted > 0 && low <= high) for (const row of await read(segment, low, high, wanted)) rows.push(row)
  }
  return rows
}

/** Ranges as a value of PostgreSQL's `int4multirange`: a row is left out when its number is in one of them. */
export function multirange(ranges: readonly SeqRange[]): string {
  return `{${ranges.map(({ first, last }) => `[${first},${last}]`).join()}}`
}
