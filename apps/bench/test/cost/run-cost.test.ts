import { describe, expect, it } from 'vitest'
import { runCost } from '../../src/commands/cost.ts'

describe('bench cost', () => {
  it('has all sections in one run', async () => {
    const progress = { step: () => {}, done: () => {}, end: () => {} }
    const recorded = { sessions: [], skipped: [] }
    const report = await runCost({ seed: 1, recorded, progress, effort: 0.04 })
    expect(report.placement).toHaveLength(3 * 2 * 2 * 3 * 2)
    expect(report.placement.filter(({ passed }) => passed === false)).toEqual([])
    expect(report.pauses).toHaveLength(2 * 7)
    expect(report.recorded.rows).toEqual([])
  })
})
