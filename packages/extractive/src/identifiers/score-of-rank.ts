/**
 * The score that `count` entries reach; entries that share it may make them more. 0 when all are wanted. Sorting bare
 * numbers costs little beside sorting what they belong to.
 */
export function scoreOfRank(scores: Float64Array, count: number): number {
  if (scores.length <= count) return 0
  return scores.slice().sort()[scores.length - count] ?? 0
}
