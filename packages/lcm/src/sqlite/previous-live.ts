import type { SeqRange } from '../store/lcm-session.ts'

/** The last number up to `seq` that is not replaced; -1 when all are. `ranges` are in order and disjoint. */
export function previousLive(ranges: readonly SeqRange[], seq: number): number {
  let previous = seq
  for (let index = ranges.length - 1; index >= 0; index--) {
    const range = ranges[index]
    if (range === undefined || range.last < previous) break
    if (range.first <= previous) previous = range.first - 1
  }
  return previous
}
