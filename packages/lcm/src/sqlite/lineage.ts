import type { Sql } from '@palimpsest/sqlite-kit'
import { isReplaced, nextLive, previousLive } from '../history/replaced-ranges.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { baseOf, LAST_NUMBER, numberOf } from './row-ids.ts'
import { readSession, type SessionRow } from './session-row.ts'

/** What one session of a lineage gives to it. Numbers are inclusive. */
export interface Segment {
  readonly session: number
  readonly base: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly firstSummary: number
  readonly lastSummary: number
}

/** A session and those that it was forked from, the session itself first. It never changes. */
export type Lineage = readonly Segment[]

/** Follows a session to the one that was forked from none. */
export function readLineage(sql: Sql, session: SessionRow): Lineage {
  const segments: Segment[] = []
  let lastSeq = LAST_NUMBER
  let lastSummary = LAST_NUMBER
  let row: SessionRow | undefined = session
  while (row !== undefined) {
    const { no, parent, fork_seq: firstSeq, fork_summary: firstSummary }: SessionRow = row
    segments.push({ session: no, base: baseOf(no), firstSeq, lastSeq, firstSummary, lastSummary })
    lastSeq = Math.min(lastSeq, firstSeq - 1)
    lastSummary = firstSummary - 1
    row = parent === null ? undefined : readSession(sql, parent)
  }
  return segments
}

/** The row id of a message; undefined when no message can have the number. */
export function messageId(lineage: Lineage, seq: number): number | undefined {
  const segment = lineage.find(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq)
  return segment === undefined || !Number.isInteger(seq) ? undefined : segment.base + seq
}

/** The row id of a summary, and the last message that it may cover: what reaches behind a fork is not shared. */
export function summaryId(lineage: Lineage, number: number): { id: number; lastSeq: number } | undefined {
  const segment = lineage.find(
    ({ firstSummary, lastSummary }) => firstSummary <= number && number <= lastSummary,
  )
  if (segment === undefined || !Number.isInteger(number)) return undefined
  return { id: segment.base + number, lastSeq: segment.lastSeq }
}

/** Which rows of a lineage to read. */
export interface RowRange {
  readonly first?: number | undefined
  readonly last?: number | undefined
  readonly order?: 'newest' | 'oldest' | undefined
  readonly limit: number
}

/** Reads the rows between two row ids, both inclusive, in the range's order. */
type ReadRows<Row> = (segment: Segment, first: number, last: number, limit: number) => Row[]

/** Messages of a lineage in order. `replaced`: the ranges to leave out. */
export function readMessages<Row extends { readonly id: number }>(
  lineage: Lineage,
  range: RowRange,
  replaced: readonly SeqRange[],
  read: ReadRows<Row>,
): Row[] {
  return readSegments(lineage, range, (segment) => [segment.firstSeq, segment.lastSeq], replaced, read)
}

/** Summaries of a lineage in order. */
export function readSummaries<Row extends { readonly id: number }>(
  lineage: Lineage,
  range: RowRange,
  read: ReadRows<Row>,
): Row[] {
  return readSegments(lineage, range, (segment) => [segment.firstSummary, segment.lastSummary], [], read)
}

function readSegments<Row extends { readonly id: number }>(
  lineage: Lineage,
  { first = 0, last = LAST_NUMBER, order = 'oldest', limit }: RowRange,
  numbersOf: (segment: Segment) => readonly [number, number],
  replaced: readonly SeqRange[],
  read: ReadRows<Row>,
): Row[] {
  const rows: Row[] = []
  const newest = order === 'newest'
  for (const segment of newest ? lineage : lineage.toReversed()) {
    const [start, end] = numbersOf(segment)
    let low = Math.max(start, Math.ceil(first))
    let high = Math.min(end, Math.floor(last))
    while (rows.length < limit) {
      // Over a replaced run in one step, however long it is.
      if (newest) high = previousLive(replaced, high)
      else low = nextLive(replaced, low)
      if (!(low <= high)) break
      const wanted = rowLimit(limit - rows.length)
      const batch = read(segment, segment.base + low, segment.base + high, wanted)
      for (const row of batch) if (!isReplaced(replaced, numberOf(row.id))) rows.push(row)
      const lastRow = batch.at(-1)
      if (lastRow === undefined || batch.length < wanted) break
      if (newest) high = numberOf(lastRow.id) - 1
      else low = numberOf(lastRow.id) + 1
    }
  }
  return rows
}

/** A limit as SQLite takes one: a whole number that is not negative. */
export function rowLimit(limit: number): number {
  return limit > 0 ? Math.ceil(Math.min(limit, LAST_NUMBER)) : 0
}
