import { describe, expect, it } from 'vitest'
import { checkSequence, type Message, PalimpsestError, readMessages } from '../../src/index.ts'

const call: Message = {
  role: 'assistant',
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
}
const result: Message = { role: 'tool', tool_call_id: 'a', content: 'text' }
const user: Message = { role: 'user', content: 'Hello' }

describe('readMessages', () => {
  it('mends broken pairs, and lets calls at the end wait for their results', () => {
    expect(readMessages([user, result])).toEqual([user])
    expect(readMessages([user, call])).toEqual([user, call])
    expect(checkSequence(readMessages([call, user]))).toEqual([])
  })

  it.each<[string, unknown]>([
    ['no list', 'hello'],
    ['null', [null]],
    ['an unknown role', [user, { role: 'function', content: 'x' }]],
    ['content of a wrong type', [{ role: 'user', content: 5 }]],
  ])('refuses %s with a code', (_, input) => {
    const attempt = () => readMessages(input as Message[])
    expect(attempt).toThrow(PalimpsestError)
    expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_MESSAGES' }))
  })
})
