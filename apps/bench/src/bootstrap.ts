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
  const sums = dialogues.map(sumOf)
  return resample(sums, (picks) => meanOf(picks, sums))
}

/** The difference of two arms' means over the same dialogues. */
export function estimateDifference(dialogues: readonly Values[], others: readonly Values[]): Estimate | null {
  const [sums, subtracted] = [dialogues.map(sumOf), others.map(sumOf)]
  return resample(sums, (picks) => meanOf(picks, sums) - meanOf(picks, subtracted))
}

interface Sum {
  readonly sum: number
  readonly n: number
}

const sumOf = (values: Values): Sum => ({
  sum: values.reduce<number>((sum, value) => sum + Number(value), 0),
  n: values.length,
})

function resample(sums: readonly Sum[], of: (picks: readonly number[]) => number): Estimate | null {
  const n = sums.reduce((total, each) => total + each.n, 0)
  if (n === 0) return null
  const random = createRandom(SEED)
  const all = [...sums.keys()]
  const means = Array.from({ length: RESAMPLES }, () => of(all.map(() => random.int(0, all.length - 1))))
    // A resample may hold only dialogues without a value.
    .filter((mean) => !Number.isNaN(mean))
    .sort((a, b) => a - b)
  const at = (share: number): number =>
    means[Math.min(means.length - 1, Math.floor(means.length * share))] ?? 0
  return { mean: of(all), low: at(0.025), high: at(0.975), n }
}

function meanOf(picks: readonly number[], sums: readonly Sum[]): number {
  let [total, n] = [0, 0]
  for (const pick of picks) {
    total += sums[pick]?.sum ?? 0
    n += sums[pick]?.n ?? 0
  }
  return total / n
}
