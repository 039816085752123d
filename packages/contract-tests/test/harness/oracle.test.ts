import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  assistant,
  calls,
  callWith,
  REMINDER,
  result,
  system,
  user,
} from '../../src/harness/conversations.ts'
import { type Aspect, judge } from '../../src/harness/oracle.ts'

const HISTORY: readonly Message[] = [
  system('Be exact.'),
  user('one'),
  calls('a', 'b'),
  result('a', 'A'),
  result('b', 'B'),
  assistant('first'),
  user('two'),
  assistant('second'),
  user('three'),
]

const note = ' [Earlier turns were summarised.]'
const edit = (change: (messages: Message[]) => unknown[]) => change([...HISTORY]) as Message[]
const cutCalls = ['a', 'b'].flatMap((id) => callWith(id, '{"cut').tool_calls ?? [])
const brokenArguments: Message = { role: 'assistant', content: null, tool_calls: cutCalls }

/** For each aspect what breaks it, and nothing else. */
const PLANTED: readonly (readonly [Aspect, what: string, projection: Message[]])[] = [
  [
    'roles',
    'an unknown role',
    edit((list) => list.toSpliced(5, 0, { role: 'summary', content: 'x' } as never)),
  ],
  ['roles', 'a hole', edit((list) => list.with(5, null as never))],
  ['system', 'no system prompt', edit((list) => list.slice(1))],
  ['system', 'another text', edit((list) => list.with(0, system('Be brief.')))],
  ['system', 'a note twice', edit((list) => list.with(0, system(`Be exact.${note}${note}`)))],
  [
    'system',
    'a note three times',
    edit((list) => list.with(0, system(`Be exact.${note}\n${note}\n${note}`))),
  ],
  ['single system', 'a second system prompt', edit((list) => list.toSpliced(6, 0, system('x')))],
  ['neighbours', 'users in a row', edit((list) => list.toSpliced(2, 4))],
  ['neighbours', 'assistants in a row', edit((list) => list.toSpliced(6, 1))],
  ['last user', 'the last request changed', edit((list) => list.with(-1, user('three.')))],
  [
    'order',
    'two answers in each other’s place',
    edit((list) => list.with(5, assistant('second')).with(7, assistant('first'))),
  ],
  ['results', 'a result without its call', edit((list) => list.toSpliced(5, 0, result('a', 'A again')))],
  ['calls', 'a call without its result', edit((list) => list.toSpliced(4, 1))],
  ['groups', 'one of two parallel calls', edit((list) => list.with(2, calls('b')).toSpliced(3, 1))],
  ['arguments', 'cut arguments', edit((list) => list.with(2, brokenArguments))],
  ['ids', 'another id', edit((list) => list.toSpliced(2, 3, calls('x'), result('x', 'X')))],
]

describe('judge', () => {
  it.each(PLANTED)('finds %s: %s', (aspect, _, projection) => {
    expect([...new Set(judge(projection, HISTORY).map((fault) => fault.aspect))]).toEqual([aspect])
  })

  it('finds nothing wrong with the history, with one note, and with a lawful projection of it', () => {
    expect(judge(HISTORY, HISTORY)).toEqual([])
    expect(
      judge(
        edit((list) => list.with(0, system(`Be exact.${note}`))),
        HISTORY,
      ),
    ).toEqual([])
    const summary = [user('a summary of one and two'), assistant('(The summary ends here.)')]
    expect(
      judge(
        edit((list) => list.toSpliced(1, 7, ...summary)),
        HISTORY,
      ),
    ).toEqual([])
  })

  it('takes the first of two equal requests for what it is', () => {
    const history = [user('Go on.'), assistant('first'), user('two'), assistant('second'), user('Go on.')]
    expect(judge(history, history)).toEqual([])
    expect(judge(history.slice(0, -1), history)).toMatchObject([{ aspect: 'last user' }])
  })

  it('takes what a host inserted for the last message, or what the user said before it, and wants one of them', () => {
    const history = [user('one'), assistant('first'), user('two'), calls('a'), result('a', 'A'), REMINDER]
    const [one, , two] = history as [Message, Message, Message]
    for (const kept of [two, REMINDER]) expect(judge([kept], history)).toEqual([])
    expect(judge([one], history)).toMatchObject([{ aspect: 'last user' }])
  })

  it('allows what was so before: calls that are still open, users in a row', () => {
    const open = [user('one'), user('two'), calls('a')]
    expect(judge(open, open)).toEqual([])
    expect(judge([user('two'), calls('a'), user('one')], open)).not.toEqual([])
  })

  it('says so when it gets no list, and survives a history of junk', () => {
    expect(() => judge(undefined as never, HISTORY)).toThrow('instead of a list')
    const junk = [null, 5, {}, { role: 'user', content: [null, 7] }, { role: 'assistant', tool_calls: 'x' }]
    expect(judge([user('x')], junk as never)).toMatchObject([{ aspect: 'last user' }])
  })
})
