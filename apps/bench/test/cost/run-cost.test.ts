import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { renderCost } from '../../src/cost/render-cost.ts'
import { runCost } from '../../src/cost/run-cost.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--conditions=@palimpsest/source', MAIN, ...args])

describe('bench cost', () => {
  it('has all sections in one run', async () => {
    const steps: string[] = []
    const progress = { step: (text: string) => steps.push(text), done: () => {}, end: () => {} }
    const report = await runCost({ seed: 1, windows: [60_000], progress, effort: 0.07 })
    expect(report.placement).toHaveLength(3 * 2 * 3 * 3 * 2)
    expect(report.placement.filter(({ passed }) => passed === false)).toEqual([])
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
    const text = renderCost(report)
    for (const part of ['cost ÷ bound', '--data', 'window of 60,000', 'cheapest', 'JSON.stringify ms'])
      expect(text).toContain(part)
  })

  it('says what it can do, and what a window and a folder must be', async () => {
    const { stdout } = await bench('cost', '--help')
    for (const part of ['--data', '--windows', '--json', 'Examples:']) expect(stdout).toContain(part)
    await expect(bench('cost', '--windows', '2000')).rejects.toMatchObject({
      stderr: expect.stringContaining('at least 50000 tokens'),
    })
    await expect(bench('cost', '--data', '/no/such/folder')).rejects.toMatchObject({
      stderr: expect.stringContaining('There is no such folder.'),
    })
  })
})
