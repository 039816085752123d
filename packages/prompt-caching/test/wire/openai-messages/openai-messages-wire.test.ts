import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  type OpenAIMessagesRoute,
  openaiMessagesWire,
} from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import { blocksOf, carriersOf, onMessage, onSystem, onTool } from '../blocks.ts'
import { request, tool } from './request.ts'

const ROUTES: OpenAIMessagesRoute[] = ['native', 'openrouter', 'litellm']
const SHORT = { type: 'ephemeral' }
const LONG = { type: 'ephemeral', ttl: '1h' }

/** A message, alone in its request, marked on one block. */
function mark(route: OpenAIMessagesRoute, message: object, block = 0): unknown {
  const wire = openaiMessagesWire(route)
  return wire.apply({ messages: [message as Message] }, [onMessage(0, block)]).messages[0]
}

describe.each(ROUTES)('markers for %s', (route) => {
  const wire = openaiMessagesWire(route)
  const _anchors = [onTool(0, '1h'), onSystem(0, '1h'), onMessage(1), onMessage(5)]

  it('case 4: what the caller passed is untouched, and what is not marked is shared', () => {
    const before = JSON.stringify(request)
    const marked = wire.apply(request, [onMessage(1), onMessage(5)])
    expect(JSON.stringify(request)).toBe(before)
    const shared = marked.messages.map((message, index) => message === request.messages[index])
    expect(shared).toEqual([true, false, true, true, true, false])
    expect(marked.tools?.[0]).toBe(tool)
    expect(wire.apply(request, [])).toEqual(request)
  })

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

  it('case 11: a static beginning that is the whole system prompt makes one block and no empty one', () => {
    const { length } = 'Be brief.'
    for (const characters of [length, length + 5, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const { messages } = wire.apply(request, [onSystem(0)], characters)
      expect(messages[0]?.content).toEqual([{ type: 'text', text: 'Be brief.', cache_control: SHORT }])
    }
  })

  it('splits the system prompt behind its static beginning, which may be marked by itself', () => {
    const { messages } = wire.apply(request, [onSystem(0, '1h'), onSystem(1)], 3)
    expect(messages[0]?.content).toEqual([
      { type: 'text', text: 'Be ', cache_control: LONG },
      { type: 'text', text: 'brief.', cache_control: SHORT },
    ])
  })

  it('splits it also when only something else is marked, so that its blocks stay the same', () => {
    const { messages } = wire.apply(request, [onMessage(1)], 3)
    expect(messages[0]?.content).toEqual([
      { type: 'text', text: 'Be ' },
      { type: 'text', text: 'brief.' },
    ])
  })

  it('never splits a surrogate pair, nor leaves a blank half', () => {
    const split = (content: string, characters: number) =>
      wire.apply({ messages: [{ role: 'system', content }] }, [onSystem(0)], characters).messages[0]?.content
    expect(split('a😀b', 2)).toMatchObject([{ text: 'a' }, { text: '😀b' }])
    expect(split('😀b', 1)).toMatchObject([{ text: '😀b' }])
    expect(split('rules \n\n', 6)).toMatchObject([{ text: 'rules \n\n' }])
  })

  it('writes five minutes as a marker without a lifetime, and keeps the short and the long of other providers', () => {
    const written = (['5m', '30m', '1h'] as const).map(
      (ttl) => carriersOf(wire.apply(request, [onMessage(1, 0, ttl)]))[0]?.cache_control,
    )
    expect(written).toEqual([SHORT, SHORT, LONG])
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
