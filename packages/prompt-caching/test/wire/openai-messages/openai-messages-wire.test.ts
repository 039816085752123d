import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  type OpenAIMessagesRoute,
  openaiMessagesWire,
} from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import { blocksOf, onMessage, onSystem, onTool } from '../blocks.ts'
import { request } from './request.ts'

const ROUTES: OpenAIMessagesRoute[] = ['native', 'openrouter', 'litellm']
const SHORT = { type: 'ephemeral' }

/** A message, alone in its request, marked on one block. */
function mark(route: OpenAIMessagesRoute, message: object, block = 0): unknown {
  const wire = openaiMessagesWire(route)
  return wire.apply({ messages: [message as Message] }, [onMessage(0, block)]).messages[0]
}

describe.each(ROUTES)('markers for %s', (route) => {
  const wire = openaiMessagesWire(route)
  const _anchors = [onTool(0, '1h'), onSystem(0, '1h'), onMessage(1), onMessage(5)]

  it('case 9: a text is wrapped into one part, byte for byte', () => {
    const text = 'a\u0000 "b" \ud83d\ude00 \ud83d </summary>\r\n '
    expect(mark(route, { role: 'user', content: text })).toEqual({
      role: 'user',
      content: [{ type: 'text', text, cache_control: SHORT }],
    })
  })

  it('case 10: an empty list carries nothing, and a list whose end is no part carries before it', () => {
    const empty = { role: 'user', content: [] }
    expect(mark(route, empty)).toEqual(empty)
    const odd = { role: 'user', content: [{ type: 'text', text: 'a' }, 'b', null] } as unknown as Message
    const blocks = blocksOf(wire, { messages: [odd] })
    expect(blocks.map(({ carries }) => carries)).toEqual([true, false, false])
    expect(mark(route, odd, 0)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'a', cache_control: SHORT }, 'b', null],
    })
  })

  it('leaves alone what is called like a marker in the schema of a tool', () => {
    const schema = { type: 'object', properties: { cache_control: { type: 'string' } } }
    const own = {
      ...request,
      tools: [{ type: 'function' as const, function: { name: 'f', parameters: schema } }],
    }
    expect(wire.apply(own, [])).toEqual(own)
  })
})
