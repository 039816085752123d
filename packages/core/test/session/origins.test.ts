import { describe, expect, it } from 'vitest'
import {
  compactedResult,
  type EngineParts,
  type Message,
  type Origin,
  placeSummary,
} from '../../src/index.ts'
import { open } from './doubles.ts'
import { assistant, long, once, system, user } from './talk.ts'

const whole = (index: number): Origin => ({ from: 'transcript', index, whole: true })

/** Summarises all but the last two messages, and remembers what it was given. */
function summarising() {
  const given: (readonly Message[])[] = []
  const compress: EngineParts['compress'] = async ({ messages }) => {
    given.push(messages)
    const after = placeSummary({ head: messages.slice(0, 1), summary: 'x', tail: messages.slice(-2) })
    const tokens = { countMessage: (message: Message) => JSON.stringify(message).length } as never
    return compactedResult({ before: messages, after, tokens, reason: 'summarised' })
  }
  return { given, parts: { compress, shouldCompress: once() } }
}

const TALK = [
  system('s'),
  user(long('one')),
  assistant(long('two')),
  user(long('three')),
  assistant('four'),
  user('five'),
]

describe('what a session hands out', () => {
  it('says of each message where it comes from, before and after a compaction', async () => {
    const { given, parts } = summarising()
    const { session } = open({
      ...parts,
      shouldCompress: () => given.length === 0 && session.transcript.length > 3,
    })
    expect((await session.prepare(TALK.slice(0, 2))).origins).toEqual([whole(0), whole(1)])
    const { messages, origins } = await session.prepare(TALK)
    expect(given).toEqual([TALK.map((message, index) => ({ ...message, id: `m${index}` }))])
    expect(origins).toEqual([whole(0), { from: 'summary', of: [{ first: 1, last: 3 }] }, whole(4), whole(5)])
    for (const [index, origin] of origins.entries())
      if (origin.from === 'transcript') expect(messages[index]).toEqual(session.transcript[origin.index])
    const later = [...TALK, assistant('six'), user('seven')]
    expect((await session.prepare(later)).origins.slice(-2)).toEqual([whole(6), whole(7)])
  })

  it('knows a message by its id, in whatever form', async () => {
    const { session } = open({
      async compress({ messages }) {
        const after = messages.map((message) => ({ ...message, content: 'short' }) as Message)
        after[after.length - 1] = messages.at(-1) as Message
        after[0] = messages[0] as Message
        const tokens = { countMessage: (message: Message) => JSON.stringify(message).length } as never
        return compactedResult({ before: messages, after, tokens, reason: 'shortened' })
      },
      shouldCompress: once(),
    })
    const { messages, origins } = await session.prepare(TALK)
    expect(origins.map((origin) => origin.from === 'transcript' && origin.whole)).toEqual([
      ...[true, false, false, false, false, true],
    ])
    expect(messages.every((message) => !('id' in message))).toBe(true)
  })

  it('keeps the ids of a host, and gives another one to a message that brings a known one', async () => {
    const given: unknown[] = []
    const { session } = open({
      async selectContext({ messages }) {
        given.push(messages.map(({ id }) => id))
        return null
      },
    })
    const list = [{ ...user('a'), id: 'x' }, { ...assistant('b'), id: 'x' }, user('c')]
    expect((await session.prepare(list)).messages).toEqual(list)
    expect(given).toEqual([['x', 'm1', 'm2']])
  })

  it('names the engine of what it placed, and itself of what it mended', async () => {
    const call: Message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    }
    const { session } = open({
      selectContext: async ({ messages }) => ({
        messages: [...messages.slice(0, -1), assistant('recalled'), ...messages.slice(-1)],
      }),
    })
    const { origins } = await session.prepare([user('a'), call, user('b')])
    expect(origins).toEqual([
      whole(0),
      whole(1),
      { from: 'note', by: 'session' },
      { from: 'note', by: session.engine.name },
      whole(2),
    ])
  })
})
