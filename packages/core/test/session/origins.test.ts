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
function summarising(told?: (messages: readonly Message[]) => unknown) {
  const given: (readonly Origin[] | undefined)[] = []
  const compress: EngineParts['compress'] = async ({ messages, origins }) => {
    given.push(origins)
    const after = placeSummary({ head: messages.slice(0, 1), summary: 'x', tail: messages.slice(-2) })
    const tokens = { countMessage: (message: Message) => JSON.stringify(message).length } as never
    const result = compactedResult({ before: messages, after, tokens, reason: 'summarised' })
    return { ...result, ...(told && { origins: told(result.messages) as readonly Origin[] }) }
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
  it('says of each message where it comes from, before and behind a compaction', async () => {
    const { given, parts } = summarising()
    const { session } = open({
      ...parts,
      shouldCompress: () => given.length === 0 && session.transcript.length > 3,
    })
    expect((await session.prepare(TALK.slice(0, 2))).origins).toEqual([whole(0), whole(1)])
    const { messages, origins } = await session.prepare(TALK)
    expect(given).toEqual([TALK.map((_, index) => whole(index))])
    expect(origins).toEqual([whole(0), { from: 'summary', of: [{ first: 1, last: 3 }] }, whole(4), whole(5)])
    for (const [index, origin] of origins.entries())
      if (origin.from === 'transcript') expect(messages[index]).toEqual(session.transcript[origin.index])
    const later = [...TALK, assistant('six'), user('seven')]
    expect((await session.prepare(later)).origins.slice(-2)).toEqual([whole(6), whole(7)])
  })

  it('takes the word of an engine that tells', async () => {
    const origins: Origin[] = [whole(0), { from: 'summary', of: [] }, whole(4), whole(5)]
    const { parts } = summarising(() => origins)
    const { session } = open(parts)
    expect((await session.prepare(TALK)).origins).toEqual(origins)
  })

  it.each([
    ['no list', () => 'all of it'],
    ['another length', () => []],
    ['a place that is not there', (list: readonly Message[]) => list.map(() => whole(99))],
    ['whole what is not', (list: readonly Message[]) => list.map(() => whole(1))],
    [
      'ranges that end before they begin',
      (list: readonly Message[]) => list.map(() => ({ from: 'summary', of: [{ first: 2, last: 1 }] })),
    ],
  ])('warns of an engine that tells %s, and finds out itself', async (_, told) => {
    const { parts } = summarising(told)
    const { session } = open(parts)
    const { origins, warnings } = await session.prepare(TALK)
    expect(warnings.map(({ code }) => code)).toEqual(['engine-failed'])
    expect(origins[1]).toEqual({ from: 'summary', of: [{ first: 1, last: 3 }] })
  })

  it('names the engine behind what it placed, and itself behind what it mended', async () => {
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
