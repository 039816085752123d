import { describe, expect, it } from 'vitest'
import type { EngineParts } from '../../src/index.ts'
import { open } from './doubles.ts'
import { assistant, long, system, texts, user } from './talk.ts'

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
})
