import { type Message, roughTokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversation } from '../../../../core/test/arbitraries.ts'
import { counted } from '../../../../core/test/counted.ts'
import type { CacheStrategy } from '../../../src/plan/plan-options.ts'
import { createCachePlanner } from '../../../src/planner/create-cache-planner.ts'
import { findPricing } from '../../../src/pricing/find-pricing.ts'
import { checkAnthropicRequest } from '../../../src/wire/anthropic/check-anthropic-request.ts'
import { toAnthropicRequest } from '../../../src/wire/anthropic/to-anthropic-request.ts'
import {
  type OpenAIMessagesRoute,
  openaiMessagesWire,
} from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import { carriersOf } from './harness.ts'
import { call } from './request.ts'

const ROUTES = ['native', 'openrouter', 'litellm'] as const
const MARK = { cache_control: { type: 'ephemeral' } }
const image = { type: 'image_url', image_url: { url: 'https://images.test/a.png' } }
const text = (said: string) => ({ type: 'text', text: said })

/** Whatever is long enough for a provider is too short for a test. */
const pricing = { ...findPricing({ model: 'claude-opus-5' }), minimumTokens: 1 }

function plan(messages: readonly Message[], route: OpenAIMessagesRoute, strategy: CacheStrategy) {
  const wire = openaiMessagesWire(route)
  const planner = createCachePlanner({ pricing, tokens: roughTokenCounter, wire, strategy })
  const cache = planner.plan({ messages, tools: [] })
  return { cache, marked: wire.apply({ messages }, cache.anchors, cache.staticSystem).messages }
}

type Row = readonly [
  kind: string,
  message: object,
  /** By route: what the strategies make of the message. Absent: nothing. */
  systemAnd3: Partial<Record<OpenAIMessagesRoute, object>>,
  sticky: Partial<Record<OpenAIMessagesRoute, object>>,
]

const everywhere = (object: object) => ({ native: object, openrouter: object, litellm: object })
const onPart = (said: string) => ({ content: [{ ...text(said), ...MARK }] })

const TABLE: readonly Row[] = [
  ['a text', { role: 'user', content: 'hello' }, everywhere(onPart('hello')), everywhere(onPart('hello'))],
  [
    'a list of texts',
    { role: 'user', content: [text('a'), text('b')] },
    everywhere({ content: [text('a'), { ...text('b'), ...MARK }] }),
    everywhere({ content: [text('a'), { ...text('b'), ...MARK }] }),
  ],
  [
    'a list that ends in an image',
    { role: 'user', content: [text('a'), image] },
    everywhere({ content: [text('a'), { ...image, ...MARK }] }),
    {
      native: { content: [text('a'), { ...image, ...MARK }] },
      openrouter: { content: [{ ...text('a'), ...MARK }, image] },
      litellm: { content: [{ ...text('a'), ...MARK }, image] },
    },
  ],
  ['an empty text', { role: 'user', content: '' }, everywhere(MARK), {}],
  ['an empty answer', { role: 'assistant', content: '' }, everywhere(MARK), {}],
  [
    'calls without a text',
    { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
    everywhere(MARK),
    { native: MARK },
  ],
  [
    'calls with an empty text',
    { role: 'assistant', content: '', tool_calls: [call('a')] },
    everywhere(MARK),
    { native: MARK },
  ],
  [
    'calls with a text',
    { role: 'assistant', content: 'Let me see.', tool_calls: [call('a')] },
    everywhere(onPart('Let me see.')),
    everywhere(onPart('Let me see.')),
  ],
  [
    'a result',
    { role: 'tool', tool_call_id: 'a', content: 'x.ts' },
    { native: MARK },
    { native: MARK, openrouter: onPart('x.ts') },
  ],
  [
    'a result that is a list',
    { role: 'tool', tool_call_id: 'a', content: [text('x.ts')] },
    { native: MARK },
    { native: MARK, openrouter: onPart('x.ts') },
  ],
  ['an empty result', { role: 'tool', tool_call_id: 'a', content: '' }, { native: MARK }, { native: MARK }],
  ['an empty list', { role: 'user', content: [] }, {}, {}],
  ['a list whose end is no part', { role: 'user', content: ['a'] }, {}, {}],
  // Anthropic answers 400 for a marker there.
  ['a blank text', { role: 'user', content: ' \n' }, everywhere(MARK), {}],
  [
    'a list that ends in a blank text',
    { role: 'user', content: [text('a'), text(' ')] },
    everywhere({ content: [{ ...text('a'), ...MARK }, text(' ')] }),
    everywhere({ content: [{ ...text('a'), ...MARK }, text(' ')] }),
  ],
  [
    'a list that ends in thinking',
    { role: 'assistant', content: [text('a'), { type: 'thinking', thinking: 'hm', signature: 's' }] },
    everywhere({
      content: [
        { ...text('a'), ...MARK },
        { type: 'thinking', thinking: 'hm', signature: 's' },
      ],
    }),
    everywhere({
      content: [
        { ...text('a'), ...MARK },
        { type: 'thinking', thinking: 'hm', signature: 's' },
      ],
    }),
  ],
]

describe.each(ROUTES)('a last message at %s', (route) => {
  it.each(TABLE)('%s', (_kind, message, systemAnd3, sticky) => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.' },
      message,
    ] as Message[]
    const before = structuredClone(messages)
    const last = (strategy: CacheStrategy) => plan(messages, route, strategy).marked.at(-1)
    expect(last('system_and_3')).toEqual({ ...message, ...systemAnd3[route] })
    expect(last('sticky')).toEqual({ ...message, ...sticky[route] })
    expect(messages).toEqual(before)
  })
})

/** The layout of Hermes Agent, as its guide tells it, for contents that no provider refuses a marker on. */
function asHermes(messages: readonly Message[], isNative: boolean): object[] {
  const marked = (message: Message): object => {
    if (message.role === 'tool') return isNative ? { ...message, ...MARK } : message
    const { content } = message
    if (content === null || content === undefined || content === '') return { ...message, ...MARK }
    if (typeof content === 'string') return { ...message, content: [{ ...text(content), ...MARK }] }
    const parts = content.map((part, index) => (index === content.length - 1 ? { ...part, ...MARK } : part))
    return { ...message, content: parts }
  }
  const hasSystem = messages[0]?.role === 'system'
  const others = messages.flatMap(({ role }, index) => (role === 'system' ? [] : [index]))
  const wanted = new Set([...(hasSystem ? [0] : []), ...others.slice(hasSystem ? -3 : -4)])
  return messages.map((message, index) => (wanted.has(index) ? marked(message) : message))
}

describe('system_and_3 of whole conversations', () => {
  const isRefused = (content: unknown): boolean =>
    Array.isArray(content)
      ? content.some((part) => part.type === 'refusal' || (part.type === 'text' && !/\S/.test(part.text)))
      : typeof content === 'string' && content !== '' && !/\S/.test(content)
  const generated = conversation({ maxTurns: 4 }).filter(
    (messages) => !messages.some(({ role, content }) => role === 'developer' || isRefused(content)),
  )

  it.each(ROUTES)('is what Hermes Agent sends, at %s', async (route) => {
    await counted(
      `system_and_3 ${route}`,
      fc.property(generated, fc.boolean(), (all, isCut) => {
        const messages = isCut ? all.slice(1) : all
        const { marked } = plan(messages, route, 'system_and_3')
        expect(marked).toEqual(asHermes(messages, route === 'native'))
        expect(carriersOf(marked).length).toBeLessThanOrEqual(4)
        expect(plan(marked, route, 'system_and_3').marked).toEqual(marked)
      }),
      200,
      'conversations',
    )
  })

  it('is taken by Anthropic when an adapter has moved the markers', async () => {
    await counted(
      'system_and_3 in the shape of Anthropic',
      fc.property(generated, (messages) => {
        const { cache } = plan(messages, 'native', 'system_and_3')
        const request = { model: 'm', max_tokens: 1, ...toAnthropicRequest({ messages, cache }) }
        expect(checkAnthropicRequest(request)).toEqual([])
      }),
      200,
      'conversations',
    )
  })

  it('takes the system prompt for one text when an engine has put a note behind it', () => {
    const messages = [{ role: 'system', content: 'Be brief. A note.' }] as Message[]
    const wire = openaiMessagesWire('openrouter')
    const planner = createCachePlanner({ pricing, tokens: roughTokenCounter, wire, strategy: 'system_and_3' })
    const cache = planner.plan({ messages, tools: [], staticSystem: 10 })
    expect(wire.apply({ messages }, cache.anchors, cache.staticSystem).messages).toEqual([
      { role: 'system', content: [{ ...text('Be brief. A note.'), ...MARK }] },
    ])
  })

  it('expects nothing of a marker that OpenRouter ignores', () => {
    const messages = [
      { role: 'system', content: '' },
      { role: 'assistant', content: null, tool_calls: [call('a')] },
    ] as Message[]
    expect(carriersOf(plan(messages, 'openrouter', 'system_and_3').marked)).toHaveLength(2)
    expect(plan(messages, 'openrouter', 'system_and_3').cache.expected).toMatchObject({ read: 0, write5m: 0 })
  })
})
