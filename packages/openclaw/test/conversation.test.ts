import { createContextSession, type SessionEvent } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { fromPiMessage } from '@palimpsest/transcripts'
import { describe, expect, test } from 'vitest'
import { Conversation } from '../src/conversation.ts'

const usage = { input: 100, output: 5, cacheRead: 20, cacheWrite: 0 }
const answer = (text: string, timestamp: number) => ({
  ...{ role: 'assistant', provider: 'mock', model: 'large', stopReason: 'stop', usage, timestamp },
  content: [{ type: 'text', text }],
})

/** A question, a call, a result of about 1,000 tokens, and an answer. */
const turn = (number: number) => [
  { role: 'user', content: `Question ${number}`, timestamp: number },
  {
    ...answer('', number),
    content: [
      { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'sig' },
      { type: 'toolCall', id: `call${number}`, name: 'exec', arguments: { command: 'seq' } },
    ],
  },
  {
    ...{
      role: 'toolResult',
      toolCallId: `call${number}`,
      toolName: 'exec',
      isError: false,
      timestamp: number,
    },
    content: [{ type: 'text', text: `Step ${number} ${'12345 '.repeat(700)}` }],
  },
  answer(`Answer ${number}`, number),
]

const HISTORY = [1, 2, 3, 4, 5, 6].flatMap(turn)

function begin() {
  const session = createContextSession({ engine: lcm, contextLength: 100_000 })
  const events: SessionEvent[] = []
  session.subscribe((event) => events.push(event))
  return { session, conversation: new Conversation(session), events }
}

describe('a conversation', () => {
  test('is sent as the host’s own objects while it fits', async () => {
    const { conversation } = begin()
    const { messages } = await conversation.show(HISTORY, 20_000, 'large')
    expect(messages.every((message, index) => message === HISTORY[index])).toBe(true)
  })

  test('keeps everything of a message behind a compaction, its thoughts too', async () => {
    const { conversation } = begin()
    const { messages } = await conversation.show(HISTORY, 5_000, 'large')
    const last = messages.findLast(
      ({ role, ...message }) => role === 'assistant' && !('errorMessage' in message),
    )
    expect(last).toBe(HISTORY.at(-1))
    const [, call] = turn(6)
    expect(messages.at(-3)).toEqual(call)
  })

  test('tells the engine what each answer of a turn cost, once', async () => {
    const { conversation, session, events } = begin()
    await conversation.show(HISTORY, 20_000, 'large')
    expect(conversation.commit('key', turn(7))).toBe('committed')
    expect(conversation.commit('key', turn(7))).toBe('duplicate')
    await conversation.settle()
    await conversation.settle()
    const told = events.flatMap((event) => (event.type === 'usage' ? [event.usage.promptTokens] : []))
    expect(told).toEqual([120, 120])
    expect(session.transcript).toHaveLength(HISTORY.length)
    await conversation.show([...HISTORY, ...turn(7)], 20_000, 'large')
    expect(session.transcript).toHaveLength(HISTORY.length + 4)
    expect(events.filter(({ type }) => type === 'edited')).toEqual([])
  })

  test('is whole when the host tells its end only, after a restart too', async () => {
    const { conversation, session, events } = begin()
    await conversation.show(HISTORY, 20_000, 'large')
    const cut = [{ role: 'user', content: '(session bootstrap)' }, ...HISTORY.slice(7), ...turn(7)]
    await conversation.show(structuredClone(cut), 20_000, 'large')
    expect(session.transcript).toHaveLength(HISTORY.length + 4)
    expect(events.filter(({ type }) => type === 'edited')).toEqual([])

    const stored = [...session.transcript]
    const next = createContextSession({ engine: lcm, contextLength: 100_000 })
    const restarted = new Conversation(next, async () => stored)
    const { messages } = await restarted.show([...cut.slice(9), ...turn(8)], 20_000, 'large')
    expect(next.transcript).toEqual([...stored, ...turn(8).map((message) => fromPiMessage(message))])
    expect(messages.slice(0, 4)).toMatchObject(turn(1).map(({ role }) => ({ role })))
  })

  test('is whole after a restart before which only the answers of the last turn were stored', async () => {
    const answers = [5, 7].map((index) => fromPiMessage(answer(`Answer ${index}`, index)))
    const stored = [...HISTORY.map((message) => fromPiMessage(message)), ...answers].flatMap(
      (message) => message ?? [],
    )
    const next = createContextSession({ engine: lcm, contextLength: 100_000 })
    const restarted = new Conversation(next, async () => stored)
    await restarted.show([...HISTORY.slice(9), ...turn(7)], 20_000, 'large')
    expect(next.transcript).toEqual([...HISTORY, ...turn(7)].map((message) => fromPiMessage(message)))
  })

  test('stays smaller after a refusal, until another model answers', async () => {
    const { conversation } = begin()
    const { tokens } = await conversation.show(HISTORY, 20_000, 'large')
    const [before, after] = await conversation.shrink({ promptTokens: 30_000, limitTokens: 27_000 })
    expect(before).toBe(tokens)
    expect(after).toBeLessThanOrEqual(tokens - 3_000)
    const longer = [...HISTORY, ...[7, 8, 9, 10].flatMap(turn)]
    expect((await conversation.show(longer, 20_000, 'large')).tokens).toBeLessThanOrEqual(tokens - 3_000)
    const { messages } = await conversation.show([...longer, ...[11, 12].flatMap(turn)], 20_000, 'other')
    expect(messages.length).toBeGreaterThan(9)
  })

  test('aborts', async () => {
    const { conversation } = begin()
    await conversation.show(HISTORY, 20_000, 'large')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(conversation.compact(undefined, signal)).rejects.toThrow('enough')
    expect((await conversation.compact(undefined)).outcome).toBe('compacted')
  })
})
