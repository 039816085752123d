import { summarize } from '../speed/time.ts'
import type { Spread } from './scale-report.ts'

/** Median, mean and tail of some values. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  return {
    ...summarize(values),
    mean: mean(values),
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

export function median(values: readonly number[]): number {
  return summarize(values).median
}
