import { describe, expect, it } from 'vitest'
import { runCost } from '../../src/cost/run-cost.ts'

describe('bench cost', () => {
  it('has all sections in one run', async () => {
    const steps: string[] = []
    const progress = { step: (text: string) => steps.push(text), done: () => {}, end: () => {} }
    const report = await runCost({ seed: 1, windows: [60_000], progress, effort: 0.04 })
    expect(report.placement).toHaveLength(3 * 2 * 2 * 3 * 2)
    expect(report.placement.filter(({ passed }) => passed === false)).toEqual([])
    expect(report.pauses).toHaveLength(2 * 7)
    expect(report.engines).toHaveLength(7 + 4)
    for (const { usd, readShare } of report.engines) {
      expect(usd.bound).toBeLessThanOrEqual(usd.sticky * 1.000001)
      expect(usd.per1000).toBeGreaterThan(0)
      expect(readShare).toBeLessThan(1)
    }
    expect(report.planning.map(({ operation }) => operation)).toEqual([
      'plan, two messages are new',
      'plan, all messages are new',
    ])
    expect(steps).toContain('decisions over lcm within 60000 tokens, steady, threshold')
  })
})
