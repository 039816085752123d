import { describe, expect, it } from 'vitest'
import { hasReasoning, type Message, stripReasoning } from '../../src/index.ts'
import { deepFreeze } from '../arbitraries.ts'

const of = (message: unknown) => message as Message

describe('stripReasoning', () => {
  it.each([
    [{ reasoning: 'x' }, {}],
    [{ reasoning_content: 'x' }, {}],
    [{ reasoning_details: [{}] }, {}],
    [{ thinking: 'x' }, {}],
    [
      {
        content: [
          { type: 'thinking', thinking: 'x' },
          { type: 'text', text: 'a' },
        ],
      },
      { content: [{ type: 'text', text: 'a' }] },
    ],
    [{ content: [{ type: 'redacted_thinking', data: 'x' }] }, { content: null }],
    [{ providerData: { gemini: { reasoning: 'x', keep: 1 } } }, { providerData: { gemini: { keep: 1 } } }],
  ])('takes %j away', (reasoning, rest) => {
    const message = of(deepFreeze({ role: 'assistant', name: 'n', ...reasoning }))
    expect(hasReasoning(message)).toBe(true)
    expect(stripReasoning(message)).toEqual({ role: 'assistant', name: 'n', ...rest })
  })

  it('leaves what belongs to a call, and messages of other roles', () => {
    const call = {
      id: 'a',
      type: 'function',
      function: { name: 'f', arguments: '{}' },
      providerData: { gemini: { signature: 's' } },
    }
    const assistant = of({ role: 'assistant', content: null, tool_calls: [call] })
    expect(stripReasoning(assistant)).toBe(assistant)
    const user = of({ role: 'user', content: 'a', reasoning: 'a field of the host' })
    expect(stripReasoning(user)).toBe(user)
  })
})
