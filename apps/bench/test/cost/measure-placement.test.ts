import { describe, expect, it } from 'vitest'
import { placementSection } from '../../src/commands/cost.ts'
import { measurePlacement, type PlacementRow } from '../../src/cost/measure-placement.ts'
import { exampleSession, generatedSession } from '../../src/cost/session-layouts.ts'

describe('the worked example', () => {
  const session = exampleSession()
  const rows = measurePlacement(session)

  it('has the sizes of the worked example', () => {
    const sizes = session.layouts.map(({ tokens }) => tokens)
    expect(sizes).toHaveLength(60)
    expect((sizes.at(-1) ?? 0) / 199_000).toBeCloseTo(1, 1)
    expect(sizes.reduce((sum, size) => sum + size, 0) / 6_549_000).toBeCloseTo(1, 1)
    const calls = session.layouts.at(-1)?.blocks.filter(({ kind }) => kind === 'tool-use').length
    expect(calls).toBe(48 + 11 * 12)
  })

  it('costs what the digest says where runs count as one, and system_and_3 falls off elsewhere', () => {
    const usd = (strategy: string, mode: string, model: string) =>
      rows.find((row) => row.strategy === strategy && row.mode === mode && row.model === model)?.usd ?? 0
    expect(usd('sticky', 'collapsed', 'claude-opus-5') / 4.42).toBeCloseTo(1, 1)
    expect(usd('sticky', 'collapsed', 'claude-sonnet-5-5') / 1.13).toBeCloseTo(1, 1)
    for (const mode of ['per-block', 'exact'])
      expect(usd('system_and_3', mode, 'claude-opus-5')).toBeGreaterThan(
        2 * usd('sticky', mode, 'claude-opus-5'),
      )
  })

  it('keeps its promises in every way to match', () => {
    const judged = rows.filter(({ passed }) => passed !== undefined)
    expect(judged).toHaveLength(6)
    for (const row of judged)
      expect(row.placementRatio, JSON.stringify(row)).toBeLessThanOrEqual(row.target ?? 0)
  })

  it('never costs less than a bound', () => {
    for (const { usd, bound } of rows) expect(usd).toBeGreaterThanOrEqual(bound * 0.999999)
  })

  it('is a table with a line for each scenario and price', () => {
    const lines = placementSection(rows).table?.rows ?? []
    expect(lines).toHaveLength(2)
    expect(lines.filter((line) => line.at(-1)?.endsWith('kept'))).toHaveLength(2)
    expect(lines.flat().join()).not.toContain('MISSED')
  })
})

describe('a generated session', () => {
  it('sends a request for each answer, one after the other', () => {
    const { layouts, times } = generatedSession(1, 200)
    expect(times).toHaveLength(layouts.length)
    expect(times.every((at, index) => index === 0 || at > (times[index - 1] ?? 0))).toBe(true)
  })

  it('a breakpoint missed is named in the table', () => {
    const [row] = measurePlacement(generatedSession(1, 60))
    const missed = { ...(row as PlacementRow), placementRatio: 1.2, passed: false }
    expect(placementSection([missed]).table?.rows[0]?.at(-1)).toContain('MISSED')
  })
})
