import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CompressResult,
  checkCompression,
  checkProjection,
  copyMessages,
  isInstruction,
  type Message,
  messageText,
  roughTokenCounter as tokens,
  type Violation,
} from '../../src/index.ts'
import { conversation } from '../arbitraries.ts'
import { counted } from '../counted.ts'

const system: Message = { role: 'system', content: 'Be exact.' }
const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string, rest: object = {}): Message => ({ role: 'assistant', content, ...rest })
const call = (id: string, args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: args },
})
const calls = (...list: unknown[]) => ({ role: 'assistant', content: null, tool_calls: list }) as Message
const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, content: 'done' })
const odd = (message: unknown) => message as Message

const transcript: Message[] = [
  system,
  user('one'),
  calls(call('a'), call('b')),
  result('a'),
  result('b'),
  assistant('first answer'),
  user('two'),
  assistant('second answer'),
]

type Planted = readonly [code: Violation['code'], index: number, check: () => Violation[]]

const edit = (change: (messages: Message[]) => Message[]) => () =>
  checkProjection(change(copyMessages(transcript)), transcript)

const compacted =
  (change: Partial<CompressResult>, input: readonly Message[] = transcript) =>
  () =>
    checkCompression(
      input,
      {
        outcome: 'compacted',
        reason: 'test',
        messages: copyMessages(transcript.slice(0, 6)),
        tokensBefore: 0,
        tokensAfter: 0,
        changedFrom: 6,
        warnings: [],
        ...change,
      },
      tokens,
    )

/** One for each code: the smallest thing that breaks the invariant, and where it is. */
const PLANTED: readonly Planted[] = [
  ['NOT_A_MESSAGE', 1, edit((list) => list.with(1, odd(null)))],
  ['UNKNOWN_ROLE', 5, edit((list) => list.with(5, odd({ role: 'function', content: 'x' })))],
  ['INVALID_CONTENT', 5, edit((list) => list.with(5, odd({ role: 'assistant', content: 5 })))],
  ['INVALID_CONTENT', 1, edit((list) => list.with(1, odd({ role: 'user', content: [{ type: 'text' }] })))],
  ['SYSTEM_NOT_FIRST', 5, edit((list) => list.toSpliced(5, 0, system))],
  ['ORPHAN_RESULT', 6, edit((list) => list.toSpliced(6, 0, result('a')))],
  ['ORPHAN_RESULT', 2, edit((list) => list.toSpliced(2, 1))],
  ['DUPLICATE_RESULT', 4, edit((list) => list.toSpliced(4, 0, result('a')))],
  ['MISSING_RESULT', 2, edit((list) => list.toSpliced(3, 1))],
  ['INVALID_CALL', 2, edit((list) => list.with(2, calls(call('a'), call('b'), { id: 'c' })))],
  ['INVALID_CALL', 2, edit((list) => list.with(2, odd({ role: 'assistant', tool_calls: 'x' })))],
  ['DUPLICATE_CALL_ID', 2, edit((list) => list.with(2, calls(call('a'), call('b'), call('b'))))],
  ['INVALID_ARGUMENTS', 2, edit((list) => list.with(2, calls(call('a'), call('b', '{"cut'))))],
  ['SPLIT_TRANSACTION', 2, edit((list) => list.toSpliced(2, 3, calls(call('a')), result('a')))],
  ['UNKNOWN_CALL_ID', 5, edit((list) => list.toSpliced(5, 0, calls(call('new')), result('new')))],
  ['ADJACENT_TURNS', 2, edit((list) => list.toSpliced(2, 4))],
  ['ADJACENT_TURNS', 6, compacted({ messages: copyMessages(transcript.slice(0, 7)), changedFrom: 7 })],
  ['SYSTEM_CHANGED', 0, edit((list) => list.with(0, { role: 'system', content: 'Be quick.' }))],
  ['SYSTEM_CHANGED', 0, edit((list) => list.slice(1))],
  [
    'NOTE_REPEATED',
    0,
    edit((list) =>
      list.with(0, { role: 'system', content: `Be exact.${'\n\nSome turns were compacted.'.repeat(3)}` }),
    ),
  ],
  ['LAST_USER_CHANGED', 8, edit((list) => list.with(6, user('two, more or less')))],
  ['NOT_SMALLER', 0, compacted({ messages: copyMessages(transcript), changedFrom: transcript.length })],
  ['CHANGED_WITHOUT_COMPACTION', 6, compacted({ outcome: 'unchanged' })],
  ['WRONG_CHANGED_FROM', 6, compacted({ changedFrom: 2 })],
  [
    'SHARED_MUTABLE',
    2,
    compacted({ messages: copyMessages(transcript).with(2, transcript[2] as Message), outcome: 'aborted' }),
  ],
]

describe('a planted violation is found', () => {
  it.each(PLANTED)('%s at %i', (code, index, check) => {
    expect(check()).toContainEqual(expect.objectContaining({ code, index, message: expect.any(String) }))
  })

  it('and the lists that they were planted in break no invariant', () => {
    expect(checkProjection(copyMessages(transcript), transcript)).toEqual([])
    expect(compacted({})()).toEqual([])
  })
})

describe('a planted violation is found in any conversation', () => {
  const long = conversation({ maxTurns: 4 }).filter((messages) => messages.length > 3)

  it('a result that is lost, doubled or moved', async () => {
    await counted(
      'invariant 2, planted in valid conversations',
      fc.property(long, fc.nat(), fc.constantFrom('lose', 'double', 'move'), (messages, seed, fault) => {
        const results = messages.flatMap(({ role }, index) => (role === 'tool' ? [index] : []))
        const at = results[seed % results.length]
        if (at === undefined) return
        const broken = [...messages]
        const [taken] = broken.splice(at, 1) as [Message]
        if (fault === 'double') broken.splice(at, 0, taken, taken)
        if (fault === 'move') broken.push(user('between'), taken)
        const codes = checkProjection(broken, messages).map(({ code }) => code)
        const expected = { lose: 'MISSING_RESULT', double: 'DUPLICATE_RESULT', move: 'ORPHAN_RESULT' }[fault]
        expect(codes).toContain(expected)
      }),
      500,
    )
  })

  it('the last user message changed, a system prompt changed', async () => {
    await counted(
      'invariants 3 and 4, planted in valid conversations',
      fc.property(long, fc.uuid(), (messages, mark) => {
        const changed = [...messages.filter(({ role }) => role !== 'user'), user(mark)]
        expect(checkProjection(changed, messages).map(({ code }) => code)).toContain('LAST_USER_CHANGED')
        // Behind an empty system prompt every text is a note.
        if (!isInstruction(messages[0]) || messageText(messages[0]) === '') return
        const quiet = messages.with(0, { role: 'system', content: mark })
        expect(checkProjection(quiet, messages).map(({ code }) => code)).toContain('SYSTEM_CHANGED')
      }),
      500,
    )
  })
})
