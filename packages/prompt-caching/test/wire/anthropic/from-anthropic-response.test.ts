import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { fromAnthropicResponse, toAnthropicRequest } from '../../../src/index.ts'

const thinking = { type: 'thinking', thinking: 'Two files.', signature: 'c2ln' } as const
const use = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.ts', lines: [1, 2] } } as const

describe('an answer of Anthropic', () => {
  it('becomes a message that goes back as it came', () => {
    const content = [thinking, { type: 'text', text: 'I read both.' }, use, { ...use, id: 'toolu_2' }]
    const message = fromAnthropicResponse({ content })
    expect(message.content).toBe('I read both.')
    expect(message.tool_calls?.map(({ id }) => id)).toEqual(['toolu_1', 'toolu_2'])
    const results = ['toolu_1', 'toolu_2'].map((id) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'ok',
    }))
    const sent = toAnthropicRequest({ messages: [{ role: 'user', content: 'go' }, message, ...results] })
    expect(sent.messages[1]).toEqual({ role: 'assistant', content })
  })

  it('keeps texts apart, and is empty when nothing was said', () => {
    const texts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ] as const
    expect(fromAnthropicResponse({ content: texts }).content).toEqual(texts)
    expect(fromAnthropicResponse({ content: [use] })).toMatchObject({ content: null })
    expect(fromAnthropicResponse({ content: [] })).toEqual({ role: 'assistant', content: null })
  })

  it('takes what the SDK returns, and leaves out what it does not know', () => {
    const answer = { content: [{ type: 'container_upload', file_id: 'f' }] } as unknown as Anthropic.Message
    expect(fromAnthropicResponse(answer)).toEqual({ role: 'assistant', content: null })
  })
})
