import { describe, expect, it } from 'vitest'
import { runCost } from '../../src/commands/cost.ts'

describe('bench cost', () => {
  it('keeps its promises in a quick run', () => {
    const progress = { step: () => {}, done: () => {}, end: () => {} }
    const report = runCost({ seed: 1, progress, effort: 0.04 })
    expect(report.placement).toHaveLength(3 * 2 * 3 * 2)
    expect(report.placement.filter(({ passed }) => passed === false)).toEqual([])
  })
})
