import { expect, test } from 'vitest'
import { limitsOf } from '../../web/src/data/session-figures.ts'
import { previewOf } from '../../web/src/views/summaries/summary-index.ts'
import { asked, sampleView } from './sample-view.ts'

const prompt = (tail: number, reported?: number) => ({
  ...asked(0, [], reported === undefined ? {} : { reported }),
  tokens: { tools: 0, system: 0, decisions: 0, summaries: 0, head: 0, tail },
})
const limitsWith = (...requests: ReturnType<typeof prompt>[]) =>
  limitsOf(sampleView({ requests, window: 2_000, threshold: 1_500 })).map(({ label, at }) => [label, at])

test('limits are drawn where the counts that decide reach them, and not where they would hide the prompts', () => {
  expect(limitsWith(prompt(1_000))).toEqual([
    ['window 2K', 2_000],
    ['compacts from 1.5K', 1_500],
  ])
  expect(limitsWith(prompt(1_000, 1_250), prompt(800, 1_000), prompt(900))).toEqual([
    ["window 2K by the provider's count", 1_600],
    ["compacts from 1.5K by the provider's count", 1_200],
  ])
  expect(limitsWith(prompt(600))).toEqual([['compacts from 1.5K', 1_500]])
})

test.each([
  ['[Mechanical extract of 12 messages, without a model]\n\n## Goal\n- ship the ledger', 'ship the ledger'],
  ['# Summary\n**Done:**\n* tests pass', 'tests pass'],
  ['plain words', 'plain words'],
  ['[only a frame]', '[only a frame]'],
])('a preview begins with content: %j', (text, preview) => {
  expect(previewOf(text)).toBe(preview)
})
