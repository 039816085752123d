import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkSequence, type Message, MISSING_RESULT_TEXT, repairMessages } from '../../src/index.ts'
import { brokenConversation, conversation, deepFreeze } from '../arbitraries.ts'
import { counted } from '../counted.ts'

const call = (id: string, args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: args },
})
const repaired = (...messages: unknown[]) => repairMessages(messages as Message[])

describe('repairMessages', () => {
  it('leaves a whole sequence alone, object by object', async () => {
    await counted(
      'repair changes nothing in a valid conversation',
      fc.property(conversation(), (messages) => {
        const { messages: result, changes } = repairMessages(deepFreeze(messages))
        expect(changes).toEqual([])
        expect(result.every((message, index) => message === messages[index])).toBe(true)
        expect(result).toHaveLength(messages.length)
      }),
      500,
    )
  })

  it('makes every sequence whole, and has nothing to do the second time', async () => {
    await counted(
      'invariant 2, repair of invalid conversations',
      fc.property(brokenConversation(), (messages) => {
        const { messages: result } = repairMessages(deepFreeze(messages))
        expect(checkSequence(result)).toEqual([])
        const again = repairMessages(result)
        expect(again.changes).toEqual([])
        expect(again.messages.every((message, index) => message === result[index])).toBe(true)
      }),
      1000,
    )
  })

  it('gives an unanswered call a result that says so, unless it is still running', () => {
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', tool_calls: [call('a')] },
    ]
    expect(repaired(...messages).messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: MISSING_RESULT_TEXT,
    })
    const { messages: inFlight, changes } = repairMessages(messages as Message[], { inFlight: true })
    expect(inFlight).toEqual(messages)
    expect(changes).toEqual([])
  })

  it('takes a result that comes late in place of the note that there was none', () => {
    const owner = { role: 'assistant', tool_calls: [call('a')] }
    const late = { role: 'tool', tool_call_id: 'a', content: 'late' }
    const { messages } = repairMessages([owner, late] as Message[])
    const first = repaired(owner).messages
    expect(repaired(...first, late).messages).toEqual(messages)
  })

  it.each([
    ['{"broken', '{"_raw":"{\\"broken"}'],
    ['', '{}'],
    ['  ', '{}'],
    [{ path: 'a.ts' }, '{"path":"a.ts"}'],
    [undefined, '{}'],
    [null, '{}'],
  ])('carries arguments that are not JSON inside JSON: %j', (args, expected) => {
    const { messages } = repaired({ role: 'assistant', tool_calls: [call('a', args)] })
    expect(messages[0]).toMatchObject({ tool_calls: [{ id: 'a', function: { arguments: expected } }] })
  })

  it.each([
    [null, ''],
    [undefined, ''],
    [42, '42'],
    [{ ok: true }, '{"ok":true}'],
    [
      ['a', { type: 'text', text: 5 }],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: '5' },
      ],
    ],
  ])('writes content of a wrong type as text: %j', (content, expected) => {
    expect(repaired({ role: 'user', content, id: 'u1' }).messages).toEqual([
      { role: 'user', content: expected, id: 'u1' },
    ])
  })

  it('joins system prompts at the beginning and makes later ones data', () => {
    const { messages } = repaired(
      { role: 'system', content: 'one' },
      { role: 'developer', content: 'two' },
      { role: 'user', content: 'hello' },
      { role: 'system', content: 'three', id: 's3' },
    )
    expect(messages).toEqual([
      { role: 'system', content: 'one\n\ntwo' },
      { role: 'user', content: 'hello' },
      { role: 'user', content: '<system-message>\nthree\n</system-message>', id: 's3' },
    ])
    const parts = [{ type: 'text', text: 'two' }]
    expect(repaired({ role: 'system', content: 'one' }, { role: 'system', content: parts }).messages).toEqual(
      [{ role: 'system', content: [{ type: 'text', text: 'one' }, ...parts] }],
    )
  })
})
