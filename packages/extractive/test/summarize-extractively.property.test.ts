import { copyMessages } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXCERPTS_HEADING, summarizeExtractively } from '../src/index.ts'
import { conversations, quarter, words } from './conversation.ts'

const counters = fc.constantFrom(quarter, words)
const rooms = fc.record({
  maxTokens: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 120, max: 3000 })),
  identifierTokens: fc.constantFrom(0, 120, 1600),
})
const most = ({ maxTokens, identifierTokens }: { maxTokens: number; identifierTokens: number }) =>
  maxTokens + identifierTokens / 4

describe('every summary', () => {
  it('stays within its budget', () => {
    fc.assert(
      fc.property(conversations, rooms, counters, (messages, room, tokens) => {
        const summary = summarizeExtractively({ messages, ...room, tokens })
        expect(tokens.countText(summary)).toBeLessThanOrEqual(most(room))
      }),
      { numRuns: 400 },
    )
  })

  it('comes back unchanged when nothing happened since', () => {
    fc.assert(
      fc.property(conversations, rooms, counters, (messages, room, tokens) => {
        const summary = summarizeExtractively({ messages, ...room, tokens })
        const again = summarizeExtractively({ messages: [], previousSummary: summary, ...room, tokens })
        expect(again).toBe(summary)
      }),
      { numRuns: 400 },
    )
  })

  it('is a fixed point after an update, too, whoever wrote the earlier summary', () => {
    fc.assert(
      fc.property(conversations, conversations, fc.boolean(), rooms, (first, second, own, room) => {
        const input = { ...room, tokens: quarter }
        const previousSummary = own
          ? summarizeExtractively({ ...input, messages: first })
          : first.map(({ content }) => content).join('\n')
        const summary = summarizeExtractively({ ...input, messages: second, previousSummary })
        expect(quarter.countText(summary)).toBeLessThanOrEqual(most(room))
        expect(summarizeExtractively({ ...input, messages: [], previousSummary: summary })).toBe(summary)
        expect(summary.split('\n').filter((line) => line.startsWith('#')).length).toBeLessThan(2)
      }),
      { numRuns: 400 },
    )
  })

  it('consists of its heading and lines with a mark and a speaker, whatever the messages hold', () => {
    fc.assert(
      fc.property(conversations, rooms, (messages, room) => {
        const summary = summarizeExtractively({ messages, ...room, tokens: quarter })
        const [heading, ...lines] = summary.split('\n')
        expect(['', EXCERPTS_HEADING]).toContain(heading)
        for (const line of lines)
          expect(line).toMatch(/^- t\d+ (?:user|assistant|call|document|changed|deleted): \S/u)
      }),
      { numRuns: 300 },
    )
  })

  it('is well-formed Unicode, the same at every call, and leaves the messages alone', () => {
    fc.assert(
      fc.property(conversations, rooms, (messages, room) => {
        const before = JSON.stringify(messages)
        const summary = summarizeExtractively({ messages, ...room, tokens: quarter })
        // Copies are analysed anew: no state of an earlier call shows.
        expect(summarizeExtractively({ messages: copyMessages(messages), ...room, tokens: quarter })).toBe(
          summary,
        )
        expect(JSON.stringify(messages)).toBe(before)
        expect(() => encodeURIComponent(summary)).not.toThrow()
      }),
      { numRuns: 200 },
    )
  })
})
