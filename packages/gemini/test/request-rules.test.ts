import { describe, expect, it } from 'vitest'
import { brokenRule } from './support/request-rules.ts'

const user = { role: 'user', parts: [{ text: 'go' }] }
const call = { functionCall: { name: 'f', args: {} } }
const response = { functionResponse: { name: 'f', response: {} } }
const rule = (contents: unknown[], model = 'gemini-2.5-flash') =>
  brokenRule(JSON.stringify({ contents }), model)

describe('the fake API', () => {
  it.each([
    ['nothing', []],
    ['a model that begins', [{ role: 'model', parts: [{ text: 'hi' }] }, user]],
    ['an unknown role', [user, { role: 'assistant', parts: [{ text: 'hi' }] }]],
    ['two turns of one role', [user, user]],
    ['a turn without parts', [{ role: 'user', parts: [] }]],
    ['an empty text', [{ role: 'user', parts: [{ text: '' }] }]],
    ['a part without data', [{ role: 'user', parts: [{ thought: true }] }]],
    [
      'a call without a result',
      [user, { role: 'model', parts: [call, call] }, { role: 'user', parts: [response] }],
    ],
    ['half a character', [{ role: 'user', parts: [{ text: '\ud83d' }] }]],
  ])('refuses %s', (_name, contents) => {
    expect(rule(contents)).toBeDefined()
  })

  it('refuses an unsigned call for Gemini 3 only', () => {
    const contents = [user, { role: 'model', parts: [call] }, { role: 'user', parts: [response] }]
    expect(rule(contents)).toBeUndefined()
    expect(rule(contents, 'gemini-3-flash')).toContain('thought_signature')
  })
})
