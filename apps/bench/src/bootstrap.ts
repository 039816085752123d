import { createRandom } from './workload/random.ts'

/** A mean with its interval; `n` is how many values it is the mean of. */
export interface Estimate {
  readonly mean: number
  /** 2.5th and 97.5th percentile of the means of resampled dialogues. */
  readonly low: number
  readonly high: number
  readonly n: number
}

const RESAMPLES = 2000
const SEED = 1

/** The values of one quantity in a dialogue. What is true counts as one. */
export type Values = readonly (number | boolean)[]

/** The mean over all values. Dialogues are resampled whole, by the same seed for every arm: differences are paired. */
export function estimateMean(dialogues: readonly Values[]): Estimate | null {
  const n = dialogues.flat().length
  if (n === 0) return null
  const sums = dialogues.map((values) => values.reduce<number>((sum, value) => sum + Number(value), 0))
  const meanOf = (picks: readonly number[]): number => {
    let [total, count] = [0, 0]
    for (const pick of picks) {
      total += sums[pick] ?? 0
      count += dialogues[pick]?.length ?? 0
    }
    return total / count
  }
  const random = createRandom(SEED)
  const all = [...dialogues.keys()]
  const resampled = () => meanOf(all.map(() => random.int(0, all.length - 1)))
  const means = Array.from({ length: RESAMPLES }, resampled)
    // A resample may hold only dialogues without a value.
    .filter((mean) => !Number.isNaN(mean))
    .sort((a, b) => a - b)
  const at = (share: number): number =>
    means[Math.min(means.length - 1, Math.floor(means.length * share))] ?? 0
  return { mean: meanOf(all), low: at(0.025), high: at(0.975), n }
}
