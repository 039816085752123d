import type Anthropic from '@anthropic-ai/sdk'
import { stripReasoning } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { fromAnthropicResponse, toAnthropicRequest } from '../../../src/index.ts'

const thinking = { type: 'thinking', thinking: 'Two files.', signature: 'c2ln' } as const
const use = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.ts', lines: [1, 2] } } as const
const hidden = { type: 'redacted_thinking', data: 'ZGF0YQ' } as const

function say(text: string) {
  return { type: 'text', text } as const
}

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

  it.each([
    ['interleaved thinking', [thinking, say('a'), { ...thinking, thinking: 'B' }, use]],
    ['thinking between calls', [use, thinking, { ...use, id: 'toolu_2' }]],
    [
      'a text behind a call',
      [thinking, say('a'), use, hidden, thinking, say('b'), { ...use, id: 'toolu_2' }],
    ],
    ['an answer that begins with a text', [say('\n'), say('a'), hidden, say('b')]],
    ['an empty text', [thinking, say(''), hidden, use]],
  ])('goes back in its order: %s', (_name, content) => {
    const message = JSON.parse(JSON.stringify(fromAnthropicResponse({ content })))
    const taken = content.filter((block) => block.type !== 'text' || block.text.trim() !== '')
    expect(toAnthropicRequest({ messages: [message] }).messages).toEqual([
      { role: 'assistant', content: taken },
    ])
    const bare = content.filter(({ type }) => type === 'tool_use' || type === 'text')
    expect(stripReasoning(message)).toEqual({
      ...fromAnthropicResponse({ content: bare }),
      ...(bare.length < content.length && { providerData: { anthropic: {} } }),
    })
  })

  it('is sent without the thinking in which it was cut off', () => {
    const sent = (content: readonly object[]) =>
      toAnthropicRequest({
        messages: [
          { role: 'user', content: 'go' },
          fromAnthropicResponse({ content }),
          { role: 'user', content: 'on' },
        ],
      }).messages.map((message) => message.content)
    const [go, on] = [[say('go')], [say('on')]]
    expect(sent([thinking, hidden])).toEqual([go, on])
    expect(sent([thinking, say('a'), thinking, hidden])).toEqual([go, [thinking, say('a')], on])
  })

  it('takes what the SDK returns, and leaves out what it does not know', () => {
    const answer = { content: [{ type: 'container_upload', file_id: 'f' }] } as unknown as Anthropic.Message
    expect(fromAnthropicResponse(answer)).toEqual({ role: 'assistant', content: null })
  })
})
