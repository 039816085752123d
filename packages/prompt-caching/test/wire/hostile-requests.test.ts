import { type CacheAnchor, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  anthropicWire,
  type CacheWire,
  createLayouter,
  openaiMessagesWire,
  toAnthropicRequest,
} from '../../src/index.ts'

const circular: Record<string, unknown> = { a: 1 }
circular.self = circular

const call = (input: unknown) => [
  { role: 'user', content: 'Go.' },
  {
    role: 'assistant',
    content: [
      { type: 'tool_use', id: 'a', name: 'ls', input },
      { type: 'text', text: 'I look.', input },
    ],
    parts: [{ functionCall: { name: 'ls', args: input } }],
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: input } }],
    providerData: { anthropic: { reasoning: [input] } },
  },
  { role: 'tool', tool_call_id: 'a', content: [input] },
]

const list = (messages: unknown) => ({ messages, contents: messages })
const REQUESTS: readonly (readonly [string, object])[] = [
  ['no message', list([null, undefined, 7, 'text', [], {}])],
  ['no tool', { ...list([]), tools: [null, undefined, 7, 'text', [], {}], config: { tools: [null] } }],
  ['no list of messages', {}],
  ['null for lists', { ...list(null), tools: null, system: null, config: null }],
  ['texts for lists', { ...list('text'), tools: 'text' }],
  ['null in lists', list([{ role: 'user', content: [null], parts: [null] }])],
  ['nothing in messages', list([{ role: 'user', content: null }, { role: 'assistant' }])],
  ['big integers', list(call({ a: 1n }))],
  ['what holds itself', list(call(circular))],
  [
    'tools that hold themselves',
    { ...list([]), tools: [{ type: 'function', name: 'ls', function: circular }] },
  ],
]

const WIRES: [name: string, wire: CacheWire<never>][] = [
  ['anthropic', anthropicWire],
  ['native', openaiMessagesWire('native')],
  ['openrouter', openaiMessagesWire('openrouter')],
  ['litellm', openaiMessagesWire('litellm')],
]
const ANCHORS: CacheAnchor[] = [
  { ref: { at: 'tool', index: 0 }, ttl: '5m', reason: 'test' },
  { ref: { at: 'system', block: 0 }, ttl: '5m', reason: 'test' },
  ...[0, 1, 2].map(
    (index) => ({ ref: { at: 'message', index, block: 0 }, ttl: '5m', reason: 'test' }) as const,
  ),
]

describe.each(WIRES)('%s with what is no request', (_, wire) => {
  it.each(REQUESTS)('%s: is laid out and marked without throwing', (_what, given) => {
    const request = given as never
    const { layout } = createLayouter(wire, roughTokenCounter)
    for (const { tokens } of layout(request).blocks) expect(tokens).toBeGreaterThanOrEqual(0)
    const marked = wire.apply(request, ANCHORS)
    expect(layout(marked).hashes.at(-1)).toBe(layout(request).hashes.at(-1))
  })
})

describe('Anthropic', () => {
  it.each(REQUESTS)('%s: our messages are converted', (_what, given) => {
    expect(toAnthropicRequest(given as never).messages).toBeInstanceOf(Array)
    const cache = { anchors: ANCHORS, expected: null }
    expect(toAnthropicRequest({ ...given, cache } as never).messages).toBeInstanceOf(Array)
  })
})
