import { describe, expect, it } from 'vitest'
import { type Message, type Origin, placeSummary } from '../../src/index.ts'
import { traceOrigins } from '../../src/session/origins.ts'
import type { TracedMessages } from '../../src/session/session-types.ts'
import { assistant, system, user } from './talk.ts'

const whole = (index: number): Origin => ({ from: 'transcript', index, whole: true })
const part = (index: number): Origin => ({ from: 'transcript', index, whole: false })
const note: Origin = { from: 'note', by: 'engine' }
const traced = (messages: readonly Message[]): TracedMessages => ({
  messages,
  origins: messages.map((_, index) => whole(index)),
})
const copy = (messages: readonly Message[]): Message[] => structuredClone(messages) as Message[]
const summaryOf = (first: number, last: number): Origin => ({ from: 'summary', of: [{ first, last }] })

const TALK = [
  system('s'),
  user('go on'),
  assistant('one'),
  user('go on'),
  assistant('two'),
  user('go on'),
  assistant('three'),
]

describe('the origins of a list that was made of another one', () => {
  for (const [name, form] of [
    ['the same objects', (messages: readonly Message[]) => messages],
    ['copies', copy],
  ] as const)
    it(`are found in ${name}, also where messages say the same`, () => {
      const after = form(placeSummary({ head: TALK.slice(0, 2), summary: 'x', tail: TALK.slice(5) }))
      expect(traceOrigins(traced(TALK), after, 'engine')).toEqual([
        whole(0),
        whole(1),
        { from: 'summary', of: [] },
        summaryOf(2, 4),
        { from: 'summary', of: [] },
        whole(5),
        whole(6),
      ])
    })

  it('take over what an earlier summary stands for', () => {
    const first = placeSummary({ head: TALK.slice(0, 1), summary: 'x', tail: TALK.slice(4) })
    const origins = traceOrigins(traced(TALK), first, 'engine')
    const second = placeSummary({ head: TALK.slice(0, 1), summary: 'y', tail: TALK.slice(6) })
    expect(traceOrigins({ messages: first, origins }, second, 'engine')).toEqual([
      whole(0),
      summaryOf(1, 5),
      whole(6),
    ])
  })

  it('know calls and results by their ids when they are shortened, and notes by nothing', () => {
    const callWith = (text: string): Message => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: text } }],
    })
    const call = callWith('{"path":"a"}')
    const result: Message = { role: 'tool', tool_call_id: 'c1', content: 'a long text' }
    const talk = [system('s'), user('read it'), call, result, user('and?')]
    const after: Message[] = [
      system('s\n\nmore'),
      user('read it'),
      callWith('{}'),
      { ...result, content: 'a long…' },
      assistant('recalled'),
      user('and?'),
    ]
    expect(traceOrigins(traced(talk), after, 'engine')).toEqual([
      part(0),
      whole(1),
      part(2),
      part(3),
      note,
      whole(4),
    ])
  })
})
