/** Buckets of the histogram: fine enough that few entries share one with the last that is wanted. */
const BUCKETS = 4096

/**
 * A score that at least `count` entries reach, and not many more: found by a histogram, because sorting all entries of a
 * long conversation for the best few costs more than everything else. 0 when all are wanted.
 */
export function scoreOfRank(scores: Float64Array, count: number): number {
  if (scores.length <= count) return 0
  let most = 0
  for (const score of scores) most = Math.max(most, score)
  const sizes = new Uint32Array(BUCKETS + 1)
  for (const score of scores) {
    const bucket = Math.floor((score / most) * BUCKETS)
    sizes[bucket] = (sizes[bucket] ?? 0) + 1
  }
  let bucket = BUCKETS
  for (let sum = sizes[bucket] ?? 0; sum < count && bucket > 0; sum += sizes[bucket] ?? 0) bucket--
  return (bucket / BUCKETS) * most
}
