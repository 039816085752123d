import { describe, expect, it, vi } from 'vitest'
import { InvalidEngineError } from '../../src/errors/errors.ts'
import {
  type CompressCall,
  createContextSession,
  type EngineParts,
  type Ingest,
  InvalidOptionError,
  keptResult,
  type Message,
  messageText,
  roughTokenCounter as tokens,
} from '../../src/index.ts'
import { compress, engine, open } from './doubles.ts'
import { assistant, calling, long, once, result, system, talk, texts, tool, user } from './talk.ts'

describe('what a session is made from', () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '200000', undefined])(
    'no window of %s',
    (contextLength) => {
      const make = () => createContextSession({ engine: engine(), contextLength: contextLength as number })
      expect(make).toThrow(InvalidOptionError)
      expect(make).toThrow(/contextLength must be/)
    },
  )

  it.each([-1, 1000, 8192, Number.NaN, '10'])('no answer of %s tokens in a window of 1,000', (reserve) => {
    const maxOutputTokens = reserve as number
    const make = () => createContextSession({ engine: engine(), contextLength: 1000, maxOutputTokens })
    expect(make).toThrow(/maxOutputTokens must leave room in the window of 1000 tokens/)
  })

  it.each([undefined, {}, { create: () => ({}) }, () => {}])('no engine that is none', (value) => {
    expect(() => createContextSession({ engine: value as never, contextLength: 1000 })).toThrow(
      InvalidEngineError,
    )
  })

  it('passes the host on to the engine', () => {
    const create = vi.fn(() => ({ shouldCompress: () => false, compress }))
    const definition = { ...engine(), create }
    Object.defineProperty(definition, Symbol.for('palimpsest.context-engine'), { value: 1 })
    const clock = { now: () => 7 }
    const session = createContextSession({
      engine: definition as never,
      options: { a: 1 },
      contextLength: 1000,
      maxOutputTokens: 100,
      clock,
      sessionId: 's1',
    })
    expect(session.id).toBe('s1')
    expect(create).toHaveBeenCalledWith(
      { a: 1 },
      expect.objectContaining({ contextLength: 1000, maxOutputTokens: 100, tokens, clock, sessionId: 's1' }),
    )
  })
})

describe('prepare', () => {
  it('returns the messages with the tools of host and engine', async () => {
    const { session } = open({ toolSchemas: () => [tool('recall')] })
    const prepared = await session.prepare(talk(1), { tools: [tool('bash')] })
    expect(prepared.messages).toEqual(talk(1))
    expect(prepared.tools.map((schema) => schema.function.name)).toEqual(['bash', 'recall'])
    expect(prepared.tokens).toBeGreaterThan(0)
    expect(prepared).toMatchObject({ compactions: [], warnings: [] })
  })

  it("hands out copies of the engine's tools, because hosts mark them for caches", async () => {
    const own = tool('recall')
    const { session } = open({ toolSchemas: () => [own] })
    const host = { ...tool('bash'), execute: () => {} }
    const { tools } = await session.prepare(talk(1), { tools: [host] })
    expect(tools[0]).toBe(host)
    expect(tools[1]).toEqual(own)
    expect(tools[1]).not.toBe(own)
  })

  it('leaves out a tool of the engine whose name is taken or missing, and says so', async () => {
    const { session } = open({
      toolSchemas: () => [tool('bash'), tool('recall'), tool('recall'), {} as never, null as never],
    })
    const { tools, warnings } = await session.prepare(talk(1), { tools: [tool('bash')] })
    expect(tools.map((schema) => schema.function.name)).toEqual(['bash', 'recall'])
    expect(warnings.map(({ message }) => message.split(': ')[1])).toEqual([
      'the name "bash" is taken',
      'the name "recall" is taken',
      'it has no name',
    ])
  })

  it('tells the engine what is new, once', async () => {
    const ingest = vi.fn(async (_: Ingest) => {})
    const { session } = open({ ingest })
    const host = talk(2)
    await session.prepare(host.slice(0, 2))
    await session.prepare(host.slice(0, 2))
    await session.prepare(host)
    expect(ingest.mock.calls.map(([{ from, messages }]) => [from, messages.length])).toEqual([
      [0, 2],
      [2, 4],
    ])
  })

  it('offers again what the engine failed to take', async () => {
    const taken: number[][] = []
    let broken = true
    const ingest = async ({ from, messages }: Ingest) => {
      if (broken) throw new Error('the disk is full')
      taken.push([from, messages.length])
    }
    const { session } = open({ ingest })
    const { warnings } = await session.prepare(talk(1).slice(0, 2))
    expect(warnings[0]?.message).toContain('the disk is full')
    broken = false
    await session.prepare(talk(1))
    expect(taken).toEqual([[0, 4]])
  })

  it('compacts when the engine says so, and goes on from there', async () => {
    const { session, events } = open({ shouldCompress: once() })
    const host = talk(3)
    const first = await session.prepare(host)
    expect(texts(first.messages)).toEqual(['Be exact.', 'SUMMARY', 'and now?'])
    expect(first.compactions).toHaveLength(1)
    const second = await session.prepare([...host, assistant('well'), user('thanks')])
    expect(texts(second.messages)).toEqual(['Be exact.', 'SUMMARY', 'and now?', 'well', 'thanks'])
    expect(session.transcript).toHaveLength(10)
    expect(events.filter(({ type }) => type === 'compaction')).toMatchObject([
      { trigger: 'threshold', committed: true },
    ])
  })

  it('stops after three passes, and as soon as a pass does not help', async () => {
    const slow = vi.fn(async ({ messages }: CompressCall) =>
      keptResult('unchanged', 'full', messages, tokens),
    )
    const { session } = open({ shouldCompress: () => true, compress: slow })
    expect((await session.prepare(talk(3))).compactions).toHaveLength(1)

    let size = 4000
    const shrinking = vi.fn(async ({ messages }: CompressCall) => {
      size /= 2
      const [first, ...rest] = messages
      return {
        ...keptResult('unchanged', 'x', messages, tokens),
        outcome: 'compacted' as const,
        messages: [first, user('x'.repeat(size)), ...rest.slice(1)].filter(
          (message) => message !== undefined,
        ),
        changedFrom: 1,
      }
    })
    const other = open({ shouldCompress: () => true, compress: shrinking })
    await other.session.prepare([system('Be exact.'), user('x'.repeat(4000)), assistant('ok'), user('go')])
    expect(shrinking).toHaveBeenCalledTimes(3)
  })

  it('does not compact at all when it is not enabled, unless the user asks', async () => {
    const { session } = open({ shouldCompress: () => true }, { enabled: false })
    expect((await session.prepare(talk(3))).messages).toHaveLength(8)
    expect(await session.compact()).toMatchObject({ outcome: 'compacted' })
  })

  it('compacts from 85 % of the window on, whatever the engine says', async () => {
    const { session, events } = open({}, { contextLength: 1000 })
    await session.prepare(talk(2))
    expect(events.some(({ type }) => type === 'compaction')).toBe(false)
    await session.observe({ usage: { promptTokens: 849 } })
    await session.prepare(talk(2))
    expect(events.some(({ type }) => type === 'compaction')).toBe(false)
    await session.observe({ usage: { promptTokens: 850 } })
    await session.prepare(talk(2))
    expect(events.find(({ type }) => type === 'compaction')).toMatchObject({
      trigger: 'safety-net',
      committed: true,
    })
  })

  it('lets the engine shorten old tool results when no compaction is due', async () => {
    const pruneToolResults: EngineParts['pruneToolResults'] = async (messages) => {
      const isLong = (message: Message) => message.role === 'tool' && messageText(message).length > 50
      if (!messages.some(isLong)) return messages
      return messages.map((message) =>
        isLong(message) ? ({ ...message, content: '[cleared]' } as Message) : message,
      )
    }
    const { session, events } = open({ pruneToolResults })
    const host = [user('go'), calling('a'), result('a', long('output')), assistant('done'), user('next')]
    const { messages, compactions } = await session.prepare(host)
    expect(texts(messages)).toContain('[cleared]')
    expect(compactions).toMatchObject([{ outcome: 'compacted', reason: 'tool-results-pruned' }])
    expect(events.find(({ type }) => type === 'compaction')).toMatchObject({ trigger: 'prune' })
    expect((await session.prepare(host)).compactions).toEqual([])
    expect(session.transcript[2]).toEqual(host[2])
  })
})
