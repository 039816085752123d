import { copyMessages } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXCERPTS_HEADING, summarizeExtractively } from '../src/index.ts'
import { conversations, quarter, words } from './conversation.ts'

const counters = fc.constantFrom(quarter, words)
const budgets = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 120, max: 3000 }))

describe('every summary', () => {
  it('stays within its budget', () => {
    fc.assert(
      fc.property(conversations, budgets, counters, (messages, maxTokens, tokens) => {
        const summary = summarizeExtractively({ messages, maxTokens, tokens })
        expect(tokens.countText(summary)).toBeLessThanOrEqual(maxTokens)
      }),
      { numRuns: 400 },
    )
  })

  it('comes back unchanged when nothing happened since', () => {
    fc.assert(
      fc.property(conversations, budgets, counters, (messages, maxTokens, tokens) => {
        const summary = summarizeExtractively({ messages, maxTokens, tokens })
        const again = summarizeExtractively({ messages: [], previousSummary: summary, maxTokens, tokens })
        expect(again).toBe(summary)
      }),
      { numRuns: 400 },
    )
  })

  it('is a fixed point after an update, too, whoever wrote the earlier summary', () => {
    fc.assert(
      fc.property(conversations, conversations, fc.boolean(), budgets, (first, second, own, maxTokens) => {
        const previousSummary = own
          ? summarizeExtractively({ messages: first, maxTokens, tokens: quarter })
          : first.map(({ content }) => content).join('\n')
        const input = { maxTokens, tokens: quarter }
        const summary = summarizeExtractively({ ...input, messages: second, previousSummary })
        expect(quarter.countText(summary)).toBeLessThanOrEqual(maxTokens)
        expect(summarizeExtractively({ ...input, messages: [], previousSummary: summary })).toBe(summary)
        expect(summary.split('\n').filter((line) => line.startsWith('#')).length).toBeLessThan(2)
      }),
      { numRuns: 400 },
    )
  })

  it('consists of its heading and lines with a mark and a speaker, whatever the messages hold', () => {
    fc.assert(
      fc.property(conversations, fc.integer({ min: 40, max: 3000 }), (messages, maxTokens) => {
        const summary = summarizeExtractively({ messages, maxTokens, tokens: quarter })
        const [heading, ...lines] = summary.split('\n')
        expect(['', EXCERPTS_HEADING]).toContain(heading)
        for (const line of lines) expect(line).toMatch(/^- t\d+ (?:user|assistant|call|plan): \S/u)
      }),
      { numRuns: 300 },
    )
  })

  it('is well-formed Unicode, the same at every call, and leaves the messages alone', () => {
    fc.assert(
      fc.property(conversations, budgets, (messages, maxTokens) => {
        const before = JSON.stringify(messages)
        const summary = summarizeExtractively({ messages, maxTokens, tokens: quarter })
        // Copies are analysed anew: no state of an earlier call shows.
        expect(summarizeExtractively({ messages: copyMessages(messages), maxTokens, tokens: quarter })).toBe(
          summary,
        )
        expect(JSON.stringify(messages)).toBe(before)
        expect(() => encodeURIComponent(summary)).not.toThrow()
      }),
      { numRuns: 200 },
    )
  })
})
