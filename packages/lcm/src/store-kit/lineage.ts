import { LAST_NUMBER, rowLimit } from './row-numbers.ts'

/** One session's part of a lineage. Numbers are inclusive. */
export interface Segment {
  readonly session: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly firstSummary: number
  readonly lastSummary: number
}

/** A session and those that it was forked from, the session itself first. It never changes. */
export type Lineage = readonly Segment[]

/** Where a session of a lineage begins, as its row says. */
export interface Origin {
  readonly no: number
  readonly fork_seq: number
  readonly fork_summary: number
}

/** The lineage of a session. `origins`: the session itself, then the one that it was forked from, and so on. */
export function lineageOf(origins: readonly Origin[]): Lineage {
  let lastSeq = LAST_NUMBER
  let lastSummary = LAST_NUMBER
  return origins.map(({ no: session, fork_seq: firstSeq, fork_summary: firstSummary }) => {
    const segment = { session, firstSeq, lastSeq, firstSummary, lastSummary }
    lastSeq = Math.min(lastSeq, firstSeq - 1)
    lastSummary = firstSummary - 1
    return segment
  })
}

/** Where a message is; undefined when no message can have the number. */
export function messageSegment(lineage: Lineage, seq: number): Segment | undefined {
  if (!Number.isInteger(seq)) return undefined
  return lineage.find(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq)
}

/** Where a summary is, which must not reach behind `lastSeq`; undefined when no summary can have the number. */
export function summarySegment(lineage: Lineage, number: number): Segment | undefined {
  if (!Number.isInteger(number)) return undefined
  return lineage.find(({ firstSummary, lastSummary }) => firstSummary <= number && number <= lastSummary)
}

export interface RowRange {
  readonly first?: number | undefined
  readonly last?: number | undefined
  readonly order?: 'newest' | 'oldest' | undefined
  readonly limit: number
}

/** A part of a segment: rows between two numbers, both inclusive. */
export interface SegmentPart {
  readonly segment: Segment
  readonly first: number
  readonly last: number
}

/** The parts of a range, in its order, and how many rows are wanted of all of them. */
export function segmentParts(
  lineage: Lineage,
  { first = 0, last = LAST_NUMBER, order = 'oldest', limit }: RowRange,
  numbers: 'Seq' | 'Summary',
): { readonly parts: readonly SegmentPart[]; readonly limit: number } {
  const parts = (order === 'newest' ? lineage : lineage.toReversed()).map((segment) => ({
    segment,
    first: Math.max(segment[`first${numbers}`], Math.ceil(first)),
    last: Math.min(segment[`last${numbers}`], Math.floor(last)),
  }))
  return { parts: parts.filter((part) => part.first <= part.last), limit: rowLimit(limit) }
}
