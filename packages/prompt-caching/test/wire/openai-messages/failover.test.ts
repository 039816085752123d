import { type Message, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../../../core/test/arbitraries.ts'
import { createLayouter } from '../../../src/layout/create-layouter.ts'
import type { CacheWire } from '../../../src/wire/cache-wire.ts'
import type { OpenAIRequest } from '../../../src/wire/openai/openai-wire.ts'
import { openaiWire } from '../../../src/wire/openai/openai-wire.ts'
import { openaiMessagesWire } from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import { blocksOf, onMessage, onSystem, onTool, sentBytes } from './harness.ts'

type Body = OpenAIRequest & { readonly messages: Message[]; readonly tools?: never[] }

const WIRES = [
  openaiWire,
  openaiMessagesWire('native'),
  openaiMessagesWire('openrouter'),
  openaiMessagesWire('litellm'),
] as unknown as CacheWire<Body>[]

const body = deepFreeze({
  model: 'm',
  prompt_cache_key: 'mine',
  messages: [
    { role: 'system', content: 'Static rules. A note.' },
    { role: 'user', content: 'List the files.', id: 'host-1' },
    {
      role: 'assistant',
      content: 'One moment.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{"b":1,"a":2}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'x.ts' },
    { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
  ],
  tools: [{ type: 'function', function: { name: 'ls', parameters: { type: 'object' } } }],
}) as unknown as Body

const anchors = [onTool(0), onSystem(0, '1h'), onMessage(3), onMessage(4)]

describe('a request that goes another way', () => {
  it('case 46: after a failover it has the bytes of a request that was made for that route', async () => {
    let pairs = 0
    for (const from of WIRES) {
      const rendered = from.apply(body, anchors, 14)
      expect(await sentBytes(from.strip(rendered))).toBe(await sentBytes(body))
      for (const to of WIRES) {
        const fresh = await sentBytes(to.apply(body, anchors, 14))
        expect(await sentBytes(to.apply(from.strip(rendered), anchors, 14))).toBe(fresh)
        if ((from as unknown) === openaiWire) continue
        // Markers that another route left in are taken out; only OpenAI's mode needs its own strip.
        expect(await sentBytes(to.apply(rendered, anchors, 14))).toBe(fresh)
        pairs++
      }
    }
    expect(pairs).toBe(12)
  })

  it('case 48: a message that loses its marker keeps its text and its hash', async () => {
    for (const wire of WIRES) {
      const earlier = wire.apply(body, [onSystem(0), onMessage(1), onMessage(3)], 14)
      const later = wire.apply(body, [onSystem(0), onMessage(4)], 14)
      const contents = (request: Body) => blocksOf(wire, request, 14).map(({ content }) => content)
      expect(contents(later)).toEqual(contents(earlier))
      expect(contents(later)).toEqual(contents(body))
      const hashes = (request: Body) =>
        createLayouter(wire, roughTokenCounter, { keepsThinking: true, effortChangesAll: false }).layout(
          request,
          14,
        ).hashes
      expect(hashes(later)).toEqual(hashes(earlier))
      // The same text, escape for escape, in a part or by itself.
      expect(await sentBytes(earlier)).toContain('"List the files."')
      expect(await sentBytes(later)).toContain('"content":"List the files."')
    }
  })

  it('case 51: for a provider that rejects markers there are none, whoever set them', async () => {
    const marked = {
      ...openaiMessagesWire('native').apply(body, anchors),
      cache_control: { type: 'ephemeral' },
    }
    for (const wire of WIRES) {
      const sent = await sentBytes(wire.strip(marked as unknown as Body))
      expect(sent).not.toMatch(/cache_control|prompt_cache_breakpoint|ephemeral/)
      expect(sent).toBe(await sentBytes(body))
    }
  })
})

describe("bytes that OpenAI's SDK sends to a gateway", () => {
  it('has OpenRouter find markers on parts, with the text as it was', async () => {
    const marked = openaiMessagesWire('openrouter').apply(body, anchors, 14)
    expect(JSON.parse(await sentBytes(marked)).messages).toEqual([
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Static rules. ', cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'text', text: 'A note.' },
        ],
      },
      body.messages[1],
      body.messages[2],
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [{ type: 'text', text: 'x.ts', cache_control: { type: 'ephemeral' } }],
      },
      { role: 'user', content: [{ type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } }] },
    ])
  })

  it('leaves results alone for LiteLLM', async () => {
    const sent = await sentBytes(openaiMessagesWire('litellm').apply(body, anchors))
    expect(sent).toContain('{"role":"tool","tool_call_id":"a","content":"x.ts"}')
    expect(sent.match(/cache_control/g)).toHaveLength(2)
  })
})
