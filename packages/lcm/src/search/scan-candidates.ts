import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@palimpsest/core'
import type { CandidateQuery } from '../store/candidate-query.ts'
import type { Matcher, TextMatch } from './matcher.ts'

/** Rows of a first read when every row has to be looked at. */
const SCAN_ROWS = 64
/** Rows of a first read beyond what is wanted: candidates that turn out not to match. */
const SPARE_ROWS = 2
/** Characters of one batch that are aimed at, and its rows: what is in memory at a time. */
const BATCH_CHARACTERS = 4_000_000
const MAX_ROWS = 1_000

interface Row {
  readonly text: string
}

/** Which rows to look at, and when to stop. */
export interface Scan<R extends Row> {
  readonly matcher: Matcher
  readonly read: (query: CandidateQuery) => Promise<readonly R[]>
  readonly numberOf: (row: R) => number
  /** The filters that a store does not know. */
  readonly accepts: (row: R) => boolean
  /** Numbers, inclusive. */
  readonly first: number
  readonly last: number
  readonly order: 'newest' | 'oldest'
  /** Matching rows that are wanted. The scan ends with the last of them. */
  readonly wanted: number
  readonly includeReplaced: boolean
  readonly clock: Clock
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

/** The finds of a scan, and its reach. */
export interface Scanned<R extends Row> {
  readonly found: readonly { readonly row: R; readonly match: TextMatch }[]
  /**
   * The end of the scan: `enough` rows matched, the `end` was reached, the deadline passed in front of the row `at`, or
   * the row `at` took too long.
   */
  readonly ended: 'enough' | 'end' | 'deadline' | 'slow'
  /** The first number that was not dealt with, or the one that took too long. */
  readonly at: number
}

/** Reads the rows that may match in batches, in order, and looks at each. Lets others run between batches. */
export async function scanCandidates<R extends Row>(scan: Scan<R>): Promise<Scanned<R>> {
  const { matcher, numberOf, order, wanted } = scan
  const found: { row: R; match: TextMatch }[] = []
  const step = order === 'newest' ? -1 : 1
  let { first, last } = scan
  let limit = matcher.where.length === 0 ? SCAN_ROWS : wanted + SPARE_ROWS
  while (first <= last) {
    const { where } = matcher
    const { includeReplaced } = scan
    const rows = await scan.read({ where, first, last, order, limit, includeReplaced })
    const accepted = rows.filter(scan.accepts)
    for (let done = 0; done < accepted.length; ) {
      const batch = done === 0 ? accepted : accepted.slice(done)
      const { matches, slow } = matcher.run(
        batch.map(({ text }) => text),
        wanted - found.length,
      )
      for (const [index, match] of matches.entries()) {
        const row = batch[index]
        if (match !== null && row !== undefined) found.push({ row, match })
      }
      done += matches.length
      const next = accepted[done]
      if (slow && next !== undefined) return { found, ended: 'slow', at: numberOf(next) }
      const lastDone = accepted[done - 1]
      if (found.length === wanted && lastDone !== undefined) {
        return { found, ended: 'enough', at: numberOf(lastDone) + step }
      }
      // Interrupted: the next row took too long, or all rows together did.
      if (next !== undefined) {
        if (scan.clock.now() >= scan.deadline) return { found, ended: 'deadline', at: numberOf(next) }
        await breathe(scan.signal)
      }
    }
    const lastRow = rows.at(-1)
    if (lastRow === undefined || rows.length < limit) break
    if (order === 'newest') last = numberOf(lastRow) - 1
    else first = numberOf(lastRow) + 1
    if (scan.clock.now() >= scan.deadline) return { found, ended: 'deadline', at: numberOf(lastRow) + step }
    limit = nextLimit(rows)
    await breathe(scan.signal)
  }
  return { found, ended: 'end', at: order === 'newest' ? scan.first - 1 : scan.last + 1 }
}

async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate()
  signal?.throwIfAborted()
}

/** As many rows as probably make a batch, growing step by step. */
function nextLimit(rows: readonly Row[]): number {
  const characters = rows.reduce((sum, { text }) => sum + text.length, 0)
  const fitting = Math.floor((BATCH_CHARACTERS * rows.length) / Math.max(characters, 1))
  return Math.max(1, Math.min(fitting, rows.length * 4, MAX_ROWS))
}
