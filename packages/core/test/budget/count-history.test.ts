import { describe, expect, it, vi } from 'vitest'
import { roughTokenCounter, type TokenCounter } from '../../src/index.ts'
import { open } from '../session/doubles.ts'
import { long, talk } from '../session/talk.ts'

/** Twice the rough estimate, so that both can be told apart; with a memory for frozen messages. */
function counter(): TokenCounter & { readonly countMessage: ReturnType<typeof vi.fn> } {
  const known = new WeakMap<object, number>()
  return {
    ...roughTokenCounter,
    countMessage: vi.fn((message) => {
      const count = known.get(message) ?? 2 * roughTokenCounter.countMessage(message)
      known.set(message, count)
      return count
    }),
    remember: vi.fn((message, tokens) => void (known.has(message) || known.set(message, tokens))),
  }
}

describe('a history that comes at once', () => {
  it('is counted at its end, and estimated by that before', async () => {
    const tokens = counter()
    const { session } = open({}, { tokens, contextLength: 10_000, enabled: false })
    const host = talk(2_000)
    const request = await session.prepare(host)
    const counted = new Set(tokens.countMessage.mock.calls.map(([message]) => message))
    const exact = host.reduce((sum, message) => sum + 2 * roughTokenCounter.countMessage(message), 0)
    expect(vi.mocked(tokens.remember)).toHaveBeenCalled()
    expect(Math.abs(request.tokens / exact - 1)).toBeLessThan(0.01)
    expect(counted.size).toBe(host.length)
    const remembered = vi.mocked(tokens.remember as NonNullable<TokenCounter['remember']>).mock.calls
    // A window of tokens was counted.
    const perMessage = 2 * roughTokenCounter.countMessage({ role: 'user', content: long('question 1000') })
    expect(host.length - remembered.length).toBeLessThan(10_000 / perMessage + 20)
  })

  it('is counted whole when a window holds it', async () => {
    const tokens = counter()
    const { session } = open({}, { tokens, contextLength: 10_000, enabled: false })
    const request = await session.prepare(talk(9))
    expect(request.tokens).toBeLessThan(10_000)
    expect(vi.mocked(tokens.remember)).not.toHaveBeenCalled()
  })
})
