import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  type OpenAIMessagesRoute,
  openaiMessagesWire,
} from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import { blocksOf, carriersOf, onMessage, onTool } from '../blocks.ts'
import { request, tool } from './request.ts'

const SHORT = { type: 'ephemeral' }

describe('what carries differs by route', () => {
  const carrying = (route: OpenAIMessagesRoute) =>
    blocksOf(openaiMessagesWire(route), request).map(({ kind, carries }) => `${kind} ${carries ? '+' : '-'}`)

  it('native: tools, results and calls too, because an adapter moves the marker', () => {
    expect(carrying('native')).toEqual([
      'other +',
      'other +',
      'other +',
      'tool-use -',
      'tool-use +',
      'tool-result +',
      'tool-result +',
      'other +',
    ])
    const marked = openaiMessagesWire('native').apply(request, {
      breakpoints: [onTool(0), onMessage(2, 1), onMessage(4)],
    })
    expect(marked.tools?.[0]).toEqual({ ...tool, cache_control: SHORT })
    expect(marked.messages[2]).toEqual({ ...request.messages[2], cache_control: SHORT })
    expect(marked.messages[4]).toEqual({ ...request.messages[4], cache_control: SHORT })
  })

  it('case 13: OpenRouter: an empty assistant is skipped, and a result carries on its part only', () => {
    expect(carrying('openrouter')).toEqual([
      'other -',
      'other +',
      'other +',
      'tool-use -',
      'tool-use -',
      'tool-result +',
      'tool-result -',
      'other +',
    ])
    const wire = openaiMessagesWire('openrouter')
    const { messages } = wire.apply(request, {
      breakpoints: [onTool(0), onMessage(2, 1), onMessage(3), onMessage(4)],
    })
    expect(carriersOf(messages)).toHaveLength(1)
    expect(messages[3]).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: [{ type: 'text', text: 'x.ts', cache_control: SHORT }],
    })
  })

  it('case 14: LiteLLM: nothing of a tool result is marked', () => {
    expect(carrying('litellm')).toEqual([
      'other -',
      'other +',
      'other +',
      'tool-use -',
      'tool-use -',
      'tool-result -',
      'tool-result -',
      'other +',
    ])
    const wire = openaiMessagesWire('litellm')
    const list = { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'x.ts' }] } as const
    const parts = { messages: [...request.messages, list] as Message[] }
    expect(wire.apply(parts, { breakpoints: [onMessage(3), onMessage(4), onMessage(6)] })).toEqual(parts)
  })
})
