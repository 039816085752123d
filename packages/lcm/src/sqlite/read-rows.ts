import { isReplaced, nextLive, previousLive } from '../history/replaced-ranges.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { LAST_NUMBER, rowLimit } from '../store-kit/row-columns.ts'

/** Numbers of a session's rows, both inclusive, and how many are wanted of them. */
export interface RowRange {
  readonly first?: number
  readonly last?: number
  readonly order?: 'newest' | 'oldest'
  readonly limit: number
}

/**
 * Rows of a session in the range's order.
 *
 * @param skipped The ranges to leave out.
 * @param read Reads the rows between two numbers, both inclusive, in the range's order.
 */
export function readRows<Row>(
  { first = 0, last = LAST_NUMBER, order = 'oldest', limit }: RowRange,
  skipped: readonly SeqRange[],
  numberOf: (row: Row) => number,
  read: (first: number, last: number, limit: number) => Row[],
): Row[] {
  const wanted = rowLimit(limit)
  const rows: Row[] = []
  let [low, high] = [Math.max(0, Math.ceil(first)), Math.min(LAST_NUMBER, Math.floor(last))]
  while (rows.length < wanted) {
    // Over a replaced run in one step, however long it is.
    if (order === 'newest') high = previousLive(skipped, high)
    else low = nextLive(skipped, low)
    if (!(low <= high)) break
    const missing = wanted - rows.length
    const batch = read(low, high, missing)
    for (const row of batch) if (skipped.length === 0 || !isReplaced(skipped, numberOf(row))) rows.push(row)
    const end = batch.at(-1)
    if (end === undefined || batch.length < missing) break
    if (order === 'newest') high = numberOf(end) - 1
    else low = numberOf(end) + 1
  }
  return rows
}
