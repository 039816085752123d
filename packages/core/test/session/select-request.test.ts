import { describe, expect, it } from 'vitest'
import type { EngineParts } from '../../src/index.ts'
import { watchedHistory } from '../watched-history.ts'
import { open } from './doubles.ts'
import { assistant, long, once, system, texts, user } from './talk.ts'

describe('a selection', () => {
  it('is sent for this request only', async () => {
    const selectContext: EngineParts['selectContext'] = async ({ messages, budgetTokens }) => {
      expect(budgetTokens).toBe(100_000 - 500)
      return { messages: [...messages.slice(0, -1), assistant('recalled'), ...messages.slice(-1)] }
    }
    const { session } = open({ selectContext }, { maxOutputTokens: 500 })
    const host = [system('s'), user('a'), user('b')]
    expect(texts((await session.prepare(host)).messages)).toEqual(['s', 'a', 'recalled', 'b'])
    expect(texts((await session.prepare([...host, assistant('c'), user('d')])).messages)).not.toContain(
      'recalled',
    )
  })

  it('is ignored when it does not fit', async () => {
    const { session } = open(
      {
        selectContext: async ({ messages }) => ({
          messages: [...messages.slice(0, -1), assistant(long('x'.repeat(99))), ...messages.slice(-1)],
        }),
      },
      { contextLength: 500 },
    )
    const { messages, warnings } = await session.prepare([user('a'), user('b')])
    expect(texts(messages)).toEqual(['a', 'b'])
    expect(warnings.map(({ code }) => code)).toEqual(['selection-too-large'])
  })

  it('of a compacted history that did not change costs no look at what was compacted', async () => {
    const reads = async (turns: number): Promise<number> => {
      const { session } = open({
        shouldCompress: once(),
        selectContext: async ({ messages }) => ({
          messages: [
            ...messages.slice(0, -1),
            user('what was said?'),
            assistant('recalled'),
            ...messages.slice(-1),
          ],
        }),
      })
      let count = 0
      const list = [system('s'), ...watchedHistory(turns, () => count++), user('and then?')]
      await session.prepare(list.slice(0, -10))
      await session.prepare(list)
      count = 0
      const { messages } = await session.prepare(list)
      expect(texts(messages).slice(-2)).toEqual(['recalled', 'and then?'])
      expect(messages.length).toBeLessThan(20)
      return count
    }
    expect(await reads(20)).toBeGreaterThan(0)
    expect(await reads(400)).toBe(await reads(20))
  })
})
