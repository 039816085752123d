import { describe, expect, it } from 'vitest'
import { estimateDifference, estimateMean } from '../src/report/measure.ts'

/** Dialogues of ten values each, so many of them ones. */
const shares = (values: readonly number[]) =>
  values.map((ones) => Array.from({ length: 10 }, (_, index) => index < ones))

describe('estimateMean', () => {
  it('is the mean over all values, with an interval around it that narrows with more dialogues', () => {
    const few = estimateMean(shares([2, 8, 5, 5]))
    const many = estimateMean(shares(Array.from({ length: 100 }, (_, index) => [2, 8, 5, 5][index % 4] ?? 0)))
    for (const estimate of [few, many]) {
      expect(estimate?.mean).toBeCloseTo(0.5)
      expect(estimate?.low).toBeLessThan(0.5)
      expect(estimate?.high).toBeGreaterThan(0.5)
    }
    const width = (estimate: typeof few) => (estimate?.high ?? 0) - (estimate?.low ?? 0)
    expect(width(many)).toBeLessThan(width(few) / 2)
    expect([few?.n, many?.n]).toEqual([40, 1000])
  })

  it('has no interval where all dialogues agree, and nothing without a value', () => {
    expect(estimateMean(shares([3, 3, 3]))).toEqual({ mean: 0.3, low: 0.3, high: 0.3, n: 30 })
    expect(estimateMean([[]])).toBeNull()
    expect(estimateMean([])).toBeNull()
  })
})

describe('estimateDifference', () => {
  it('is paired: dialogues that differ much do not hide a small and steady gain', () => {
    const base = [0, 9, 1, 8, 2, 7]
    const gain = estimateDifference(shares(base.map((value) => value + 1)), shares(base))
    expect(gain?.low).toBeCloseTo(0.1)
    expect(gain?.high).toBeCloseTo(0.1)
  })
})
