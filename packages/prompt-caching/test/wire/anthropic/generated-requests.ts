import type Anthropic from '@anthropic-ai/sdk'
import type { CacheAnchor, CacheRef } from '@palimpsest/core'
import fc from 'fast-check'
import type { AnthropicRequest } from '../../../src/wire/anthropic/anthropic-types.ts'

const visible = fc.constantFrom('Fix src/app.ts.', '日本語', '[31m', 'a'.repeat(200), '{"type":"text"}')
const anyText = fc.oneof(
  { weight: 4, arbitrary: visible },
  { weight: 1, arbitrary: fc.constantFrom('', ' \n') },
)

/** Markers that callers leave in, some of them wrong. */
const marker = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom({ type: 'ephemeral' }, { type: 'ephemeral', ttl: '5m' }) },
  { weight: 3, arbitrary: fc.constant({ type: 'ephemeral', ttl: '1h' }) },
  { weight: 1, arbitrary: fc.constantFrom({ type: 'ephemeral', ttl: '2h' }, { type: 'persistent' }) },
)

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } }
const text = anyText.map((value) => ({ type: 'text', text: value }))
const thinking = fc.constantFrom(
  { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
  { type: 'redacted_thinking', data: 'b3BhcXVl' },
)
const call = fc.constantFrom(
  { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { z: 1, a: 2, cache_control: { type: 'mine' } } },
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
)

/** Tools or blocks, some of them with a marker where the caller is careless. */
function blocks(kinds: fc.Arbitrary<object>, isMarked: boolean): fc.Arbitrary<object> {
  return isMarked ? withMarker(kinds, 5) : kinds
}

function withMarker<T extends object>(holder: fc.Arbitrary<T>, rarity: number): fc.Arbitrary<T> {
  return fc
    .tuple(holder, marker, fc.nat(rarity - 1))
    .map(([value, own, drawn]) => (drawn === 0 ? { ...value, cache_control: own } : value))
}

/** Requests of every shape; with markers that the caller left in anywhere when `isMarked`. */
export function requests(isMarked: boolean): fc.Arbitrary<Anthropic.MessageCreateParamsNonStreaming> {
  const nested = fc.array(blocks(fc.oneof(text, fc.constant(image)), isMarked), { maxLength: 2 })
  const result = fc.tuple(fc.oneof(anyText, nested), fc.boolean()).map(([content, hasContent]) => ({
    type: 'tool_result',
    tool_use_id: 'toolu_1',
    ...(hasContent && { content }),
  }))
  const list = (kinds: fc.Arbitrary<object>) =>
    fc.oneof(anyText, fc.array(blocks(kinds, isMarked), { minLength: 1, maxLength: 4 }))
  const user = list(fc.oneof(text, fc.constantFrom(image, pdf), result)).map((content) => ({
    role: 'user',
    content,
  }))
  const assistant = list(fc.oneof(text, thinking, call)).map((content) => ({ role: 'assistant', content }))
  const note = fc
    .tuple(list(text), fc.constantFrom(undefined, 'next_user_message'))
    .map(([content, clear]) => ({ role: 'system', content, ...(clear && { clear_at: clear }) }))
  const tool = fc
    .tuple(fc.constantFrom('bash', 'read'), fc.boolean(), fc.boolean())
    .map(([name, isDeferred, isDescribed]) => ({
      name,
      ...(isDescribed && { description: 'Runs.' }),
      input_schema: { type: 'object', properties: { cache_control: { type: 'string' } } },
      ...(isDeferred && { defer_loading: true }),
    }))
  const message = fc.oneof(
    { weight: 3, arbitrary: user },
    { weight: 3, arbitrary: assistant },
    { weight: 1, arbitrary: note },
  )
  return fc
    .record({
      tools: fc.option(fc.array(blocks(tool, isMarked), { maxLength: 3 })),
      system: fc.option(fc.oneof(anyText, fc.array(blocks(text, isMarked), { maxLength: 3 }))),
      messages: fc.array(isMarked ? withMarker(message, 40) : message, { minLength: 1, maxLength: 6 }),
      automatic: fc.option(marker, { freq: 2 }),
      metadata: fc.option(fc.constant({ user_id: 'u' })),
    })
    .map(({ tools, system, messages, automatic, metadata }) => ({
      model: 'claude-opus-5',
      max_tokens: 1024,
      ...(tools !== null && { tools }),
      ...(system !== null && { system }),
      messages,
      ...(isMarked && automatic !== null && { cache_control: automatic }),
      ...(metadata !== null && { metadata }),
    })) as fc.Arbitrary<Anthropic.MessageCreateParamsNonStreaming>
}

const ref: fc.Arbitrary<CacheRef> = fc.oneof(
  fc.record({ at: fc.constant('tool' as const), index: fc.nat(3) }),
  fc.record({ at: fc.constant('system' as const), block: fc.nat(3) }),
  fc.record({
    at: fc.constant('message' as const),
    index: fc.nat(8),
    block: fc.constantFrom(0, 0, 0, 1, 2, 3),
  }),
)

/** Anchors anywhere, in any order, with any lifetime, some of them on nothing. */
export const anchors: fc.Arbitrary<CacheAnchor[]> = fc.array(
  fc.record({ ref, ttl: fc.constantFrom('5m', '1h', '30m'), reason: fc.constant('test') }),
  { maxLength: 8 },
)

/** Every anchor that a request could have: each tool, each block and a few that are not there. */
export function everyRef(request: AnthropicRequest): CacheRef[] {
  return [
    ...Array.from({ length: 4 }, (_, index): CacheRef => ({ at: 'tool', index })),
    ...Array.from({ length: 4 }, (_, block): CacheRef => ({ at: 'system', block })),
    ...request.messages.flatMap((_, index) =>
      Array.from({ length: 5 }, (_, block): CacheRef => ({ at: 'message', index, block })),
    ),
  ]
}
