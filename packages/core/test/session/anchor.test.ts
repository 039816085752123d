import { describe, expect, it, vi } from 'vitest'
import type { TokenCounter, ToolSchema } from '../../src/index.ts'
import { open } from './doubles.ts'
import { assistant, system, talk, user } from './talk.ts'

/** Every message costs 10 tokens, every tool 100. */
const counter = (extra: Partial<TokenCounter> = {}): TokenCounter => ({
  countText: (text) => text.length,
  countMessage: () => 10,
  countTools: (tools) => tools.length * 100,
  ...extra,
})
const tool = (name: string): ToolSchema => ({ type: 'function', function: { name } })

describe('what a prompt costs', () => {
  it('is counted until the provider says it, then what was appended is added', async () => {
    const { session } = open({}, { tokens: counter() })
    const host = talk(1)
    expect((await session.prepare(host, { tools: [tool('a')] })).tokens).toBe(4 * 10 + 100)
    await session.observe({ usage: { promptTokens: 1000, completionTokens: 700, reasoningTokens: 600 } })
    expect((await session.prepare(host, { tools: [tool('a')] })).tokens).toBe(1000)
    const longer = [...host, assistant('b'), user('c')]
    expect((await session.prepare(longer, { tools: [tool('a')] })).tokens).toBe(1020)
  })

  it('never contains what the model produced', async () => {
    const { session } = open({}, { tokens: counter() })
    await session.prepare(talk(1))
    await session.observe({ usage: { promptTokens: 100, completionTokens: 5000 } })
    expect((await session.prepare(talk(1))).tokens).toBe(100)
  })

  it('is counted again after an edit, a new system prompt, other tools, a compaction, a new model', async () => {
    const host = talk(2)
    const changes: ((start: ReturnType<typeof open>) => Promise<{ tokens: number }>)[] = [
      ({ session }) => session.prepare(host.with(1, user('edited'))),
      ({ session }) => session.prepare(host.with(0, system('edited'))),
      ({ session }) =>
        session.prepare(host, { tools: [tool('a')] }).then(({ tokens }) => ({ tokens: tokens - 100 })),
      async ({ session }) => {
        await session.updateModel({ contextLength: 50_000 })
        return session.prepare(host)
      },
    ]
    for (const change of changes) {
      const opened = open({}, { tokens: counter() })
      await opened.session.prepare(host)
      await opened.session.observe({ usage: { promptTokens: 5000 } })
      expect((await change(opened)).tokens).toBe(host.length * 10)
    }
    const { session } = open({}, { tokens: counter() })
    await session.prepare(host)
    await session.observe({ usage: { promptTokens: 5000 } })
    await session.compact()
    expect((await session.prepare(host)).tokens).toBe(3 * 10)
  })

  it('leaves out what was placed for one request only', async () => {
    const { session } = open(
      {
        selectContext: async ({ messages }) => ({
          messages: messages.toSpliced(1, 0, assistant('recalled')),
        }),
      },
      { tokens: counter() },
    )
    const host = [system('s'), user('a'), user('b')]
    expect((await session.prepare(host)).tokens).toBe(40)
    await session.observe({ usage: { promptTokens: 1000 } })
    // 990 for the projection, 10 for what is placed again.
    expect((await session.prepare(host)).tokens).toBe(1000)
    const next = await session.prepare([...host, assistant('c'), user('d')])
    expect(next.tokens).toBe(990 + 20 + 10)
  })

  it('is not believed to be far less than the text of the prompt, which is said once', async () => {
    const observe = vi.fn()
    const updateFromResponse = vi.fn()
    const { session, events } = open(
      { updateFromResponse },
      { tokens: counter({ calibration: { observe, apply: (counted) => counted } }) },
    )
    const host = talk(2)
    await session.prepare(host)
    await session.observe({ usage: { promptTokens: 15 } })
    expect((await session.prepare(host)).tokens).toBe(15)
    for (const promptTokens of [14, 2]) await session.observe({ usage: { promptTokens } })
    const { tokens, warnings } = await session.prepare(host)
    expect(tokens).toBe(60)
    expect(warnings.map(({ code }) => code)).toEqual(['usage-ignored'])
    expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(3)
    expect(observe.mock.calls).toEqual([[60, 15]])
    expect(updateFromResponse).toHaveBeenCalledTimes(1)
  })

  it('is what was cached and what was not, where a provider counts them apart', async () => {
    const { session } = open({}, { tokens: counter() })
    await session.prepare(talk(2))
    await session.observe({ usage: { input_tokens: 4, cache_read_input_tokens: 51, output_tokens: 9 } })
    expect(await session.prepare(talk(2))).toMatchObject({ tokens: 55, warnings: [] })
  })
})
