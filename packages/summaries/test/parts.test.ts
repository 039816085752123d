import type { CompletionModel } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { writeSummary } from '../src/index.ts'
import { readParts, writeParts } from '../src/parts.ts'
import { quarter, user, words } from './conversation.ts'

it('parts are read back from their text, and a model writes no heading of one', () => {
  const parts = [
    { first: 1, last: 4, text: '## Goal\n- x\n# Part 9' },
    { first: 5, last: 5, text: '## Goal\n- y' },
  ]
  const text = writeParts(parts)
  expect(text).toBe('# Part 1 to 4\n## Goal\n- x\n### Part 9\n\n# Part 5\n## Goal\n- y')
  expect(writeParts(readParts(text))).toBe(text)
  expect(readParts('## Goal\n- z')).toEqual([{ first: 1, last: 1, text: '## Goal\n- z' }])
  expect(readParts('')).toEqual([])
})

it('writes what was said once, and again only as often as its part is joined with another', async () => {
  /** How often each fact was written by now: the model repeats the facts that it reads, and fills its record. */
  const written = new Map<string, number>()
  const model: CompletionModel = {
    name: 'scripted',
    contextLength: 100_000,
    async complete({ prompt }) {
      const read = prompt.replace(/<previous_summary>[\s\S]*<\/previous_summary>/, '')
      const facts = [...new Set(read.match(/fact-\d+/g))]
      for (const fact of facts) written.set(fact, (written.get(fact) ?? 0) + 1)
      const room = Number(/room for (\d+) tokens/.exec(prompt)?.[1])
      return {
        text: `## Record\n${facts.join(' ')} ${words(Math.floor(room / 3), 'w')}`,
        finishReason: 'stop',
      }
    },
  }
  const call = { model, streak: 0, mustSummarize: false }
  const room = { recordsTokens: 2_000, wholeTokens: 3_000, tokens: quarter }
  let summary: string | undefined
  for (let stretch = 1; stretch <= 64; stretch++) {
    const messages = [user(`fact-${stretch} ${words(600, `s${stretch}`)}`)]
    const { text } = await writeSummary({ ...room, call, messages, previousSummary: summary })
    summary = text ?? ''
    expect(quarter.countText(summary)).toBeLessThanOrEqual(room.wholeTokens)
  }
  expect(written.size).toBe(64)
  expect(Math.max(...written.values())).toBeLessThanOrEqual(8)
  for (const fact of written.keys()) expect(summary).toContain(fact)
  expect(summary).toMatch(/^# Part 1 to \d+\n/)
  expect(summary).toMatch(/^# Part 64$/m)
})
