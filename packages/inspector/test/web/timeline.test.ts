import { expect, test } from 'vitest'
import type { ChartInk } from '../../web/src/charts/use-chart-ink.ts'
import { providerFactor } from '../../web/src/data/session-figures.ts'
import { previewOf } from '../../web/src/views/summaries/summary-index.ts'
import { billSeries, limitLines } from '../../web/src/views/timeline/timeline-series.ts'
import { asked, sampleView } from './sample-view.ts'

const ink = { text: '#000' } as ChartInk
const limitsOf = (requests: ReturnType<typeof asked>[], drawn = 1_000) => {
  const view = sampleView({ requests, window: 2_000, threshold: 1_500 })
  const { top, mark } = limitLines(view, 1_000, drawn)
  const lines = (mark(ink).data ?? []) as unknown as { yAxis: number; label: { formatter: string } }[]
  return { top, lines: lines.map(({ yAxis, label }) => [yAxis, label.formatter]) }
}
const prompt = (tail: number, reported?: number, without = 100) => ({
  ...asked(0, [], { without, ...(reported !== undefined && { reported }) }),
  tokens: { tools: 0, system: 0, decisions: 0, summaries: 0, head: 0, tail },
})

test('the axis has room for every line that is drawn', () => {
  expect(limitsOf([prompt(1_000)]).top).toBe(2_160)
  expect(limitsOf([prompt(1_000, undefined, 9_000)], 9_000).top).toBeGreaterThan(9_000)
})

test('limits stand where the counts that decide reach them', () => {
  expect(limitsOf([prompt(1_000)]).lines).toEqual([
    [2_000, 'window 2K'],
    [1_500, 'compacts from 1.5K'],
  ])
  const requests = [prompt(1_000, 1_250), prompt(800, 1_000), prompt(900)]
  expect(providerFactor(requests)).toBe(1.25)
  expect(limitsOf(requests).lines).toEqual([
    [1_600, "window 2K by the provider's count"],
    [1_200, "compacts from 1.5K by the provider's count"],
  ])
})

test('a part that no request has is no series', () => {
  const cache = { read: 900, written: 100, uncached: 0, usd: 1, from: 'planned' } as const
  const cacheInk = {
    ...ink,
    strong: '#000',
    cache: { read: '#1', written: '#2', uncached: '#3' },
  } as ChartInk
  const series = billSeries([{ ...prompt(1_000), cache }], cacheInk, 2)
  expect(series.map(({ id }) => id)).toEqual(['cache read', 'cache written', 'dollars'])
})

test.each([
  ['[Mechanical extract of 12 messages, without a model]\n\n## Goal\n- ship the ledger', 'ship the ledger'],
  ['# Summary\n**Done:**\n* tests pass', 'tests pass'],
  ['plain words', 'plain words'],
  ['[only a frame]', '[only a frame]'],
])('a preview begins with content: %j', (text, preview) => {
  expect(previewOf(text)).toBe(preview)
})
