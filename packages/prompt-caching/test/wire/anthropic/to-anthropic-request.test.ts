import {
  type CacheBreakpoint,
  type CachePlan,
  type Message,
  roughTokenCounter,
  type ToolSchema,
} from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  brokenConversation,
  conversation,
  deepFreeze,
} from '../../../../contract-tests/src/harness/generated-conversations.ts'
import { toAnthropicRequest } from '../../../src/wire/anthropic/to-anthropic-request.ts'
import { openaiMessagesWire } from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import { contentFaults } from './fake-anthropic.ts'

const TOOLS: ToolSchema[] = [{ type: 'function', function: { name: 'bash', parameters: { type: 'object' } } }]

function planOf(...refs: CacheBreakpoint['ref'][]): CachePlan {
  return {
    breakpoints: refs.map((ref) => ({ ref, ttl: '5m', reason: 'test' })),
    expected: { read: 0, write5m: 0, write1h: 0, uncached: 0, usd: 0 },
  }
}

function call(id: string, args = '{}') {
  return { id, type: 'function' as const, function: { name: 'bash', arguments: args } }
}

const TALK: Message[] = [
  { role: 'system', content: 'You fix programs.' },
  { role: 'user', content: 'Go.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [call('a', '{"z":1,"a":2}'), call('b')],
    providerData: { anthropic: { reasoning: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] } },
  },
  { role: 'tool', tool_call_id: 'a', content: 'one' },
  { role: 'tool', tool_call_id: 'b', content: 'two' },
  { role: 'user', content: 'And now?' },
]

describe('messages', () => {
  it('makes one user message of parallel results, and leaves the user message behind them its own', () => {
    expect(toAnthropicRequest({ messages: TALK, tools: TOOLS })).toEqual({
      system: [{ type: 'text', text: 'You fix programs.' }],
      tools: [{ name: 'bash', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 's' },
            { type: 'tool_use', id: 'a', name: 'bash', input: { z: 1, a: 2 } },
            { type: 'tool_use', id: 'b', name: 'bash', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: 'one' },
            { type: 'tool_result', tool_use_id: 'b', content: 'two' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
      ],
    })
  })

  it('takes images, PDFs and texts, and says what it left out', () => {
    const url = (value: string) => ({ type: 'image_url' as const, image_url: { url: value } })
    const file = (data: string) => ({ type: 'file' as const, file: { file_data: data, filename: 'a' } })
    const content = [
      url('data:image/png;base64,AAAA'),
      url('https://example.com/a.png'),
      url('data:image/svg+xml;base64,AAAA'),
      file('data:application/pdf;base64,AAAA'),
      file('data:text/plain;base64,SGk='),
      { type: 'file' as const, file: { file_id: 'file_1' } },
      { type: 'input_audio' as const, input_audio: { data: 'AAAA', format: 'wav' as const } },
      { type: 'text' as const, text: ' ' },
    ]
    expect(toAnthropicRequest({ messages: [{ role: 'user', content }] }).messages[0]?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'text', text: '[image of type image/svg+xml left out: Claude models do not take it]' },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
        title: 'a',
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hi' }, title: 'a' },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { type: 'text', text: '[audio left out: Claude models do not take it]' },
    ])
  })

  it('case 53: the order of keys in our messages and schemas of tools changes no byte; that in an input does', () => {
    fc.assert(
      fc.property(conversation({ maxTurns: 3 }), (messages) => {
        const turned = messages.map(turnKeys)
        expect(bytes(turned)).toBe(bytes(messages))
      }),
      { numRuns: 200 },
    )
    const tools = (schema: ToolSchema['function']) => [{ type: 'function' as const, function: schema }]
    const schema = { name: 'bash', description: 'Runs.', parameters: { type: 'object', b: 1, a: 2 } }
    expect(JSON.stringify(toAnthropicRequest({ messages: [], tools: tools(schema) }))).toBe(
      JSON.stringify(toAnthropicRequest({ messages: [], tools: tools(turnKeys(schema)) })),
    )
    const withArguments = (args: string) => bytes([{ role: 'assistant', tool_calls: [call('a', args)] }])
    expect(withArguments('{"z":1,"a":2}')).toContain('"input":{"z":1,"a":2}')
    expect(withArguments('{"a":2,"z":1}')).toContain('"input":{"a":2,"z":1}')
  })
})

describe('properties', () => {
  it('a valid conversation becomes a request that the API takes, and grows by appending', () => {
    let blocks = 0
    fc.assert(
      fc.property(conversation(), fc.nat(40), (messages, cut) => {
        deepFreeze(messages)
        const whole = toAnthropicRequest({ messages, tools: TOOLS })
        expect(contentFaults(JSON.parse(JSON.stringify(whole)))).toEqual([])
        blocks += whole.messages.reduce((sum, { content }) => sum + content.length, 0)
        const part = toAnthropicRequest({ messages: messages.slice(0, cut), tools: TOOLS })
        const flat = whole.messages.flatMap(({ role, content }) =>
          [...content].map((block) => ({ role, block })),
        )
        const begun = part.messages.flatMap(({ role, content }) =>
          [...content].map((block) => ({ role, block })),
        )
        expect(flat.slice(0, begun.length)).toEqual(begun)
      }),
      { numRuns: 400 },
    )
    expect(blocks).toBeGreaterThan(2000)
  })

  it('every block that the wire of our messages lets carry is marked by a plan, and no other byte changes', () => {
    const counts = { marked: 0, cannot: 0 }
    const wire = openaiMessagesWire('native')
    fc.assert(
      fc.property(conversation({ maxTurns: 3 }), fc.nat(20), (messages, staticSystem) => {
        const { system, messages: rest, firstMessage } = wire.parts({ messages })
        const bare = JSON.stringify(toAnthropicRequest({ messages, cache: { ...planOf(), staticSystem } }))
        const refs = [
          ...(system === null ? [] : wire.readSystem(system, roughTokenCounter, staticSystem)).map(
            ({ carries }, block) => ({ carries, ref: { at: 'system' as const, block } }),
          ),
          ...rest.flatMap((message, index) =>
            wire.readMessage(message, roughTokenCounter).map(({ carries }, block) => ({
              carries,
              ref: { at: 'message' as const, index: index + firstMessage, block },
            })),
          ),
        ]
        for (const { carries, ref } of refs) {
          const marked = toAnthropicRequest({ messages, cache: { ...planOf(ref), staticSystem } })
          const written = JSON.stringify(marked).split(',"cache_control":{"type":"ephemeral"}')
          expect(written.join('')).toBe(bare)
          if (carries) expect(written).toHaveLength(2)
          expect(written.length).toBeLessThanOrEqual(2)
          counts[written.length === 2 ? 'marked' : 'cannot']++
        }
      }),
      { numRuns: 150 },
    )
    expect(Math.min(counts.marked, counts.cannot)).toBeGreaterThan(50)
  })

  it('never throws, whatever a host sends', () => {
    fc.assert(
      fc.property(brokenConversation(), (messages) => {
        const plan = planOf({ at: 'message', index: 1, block: 0 })
        expect(toAnthropicRequest({ messages, cache: plan }).messages).toBeInstanceOf(Array)
      }),
      { numRuns: 400 },
    )
  })
})

function bytes(messages: readonly Message[]): string {
  return JSON.stringify(toAnthropicRequest({ messages, tools: TOOLS }))
}

/** The same object with its keys in the other order; what is in opaque members stays. */
function turnKeys<T extends object>(value: T): T {
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(
    entries.map(([key, member]) => [key, key === 'tool_calls' ? member.map(turnKeys) : member]),
  ) as T
}
