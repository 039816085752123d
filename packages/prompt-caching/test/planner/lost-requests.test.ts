import { type CacheAnchor, freezeMessage, type Message, roughTokenCounter as tokens } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  type CachePlannerOptions,
  type CachePricing,
  createCachePlanner,
  createLayouter,
  EMPTY_CACHE,
  openaiMessagesWire,
  serveRequest,
} from '../../src/index.ts'
import { TEST_PRICING } from '../layouts.ts'

const wire = openaiMessagesWire('native')
const text = (role: 'system' | 'user' | 'assistant', words: string): Message =>
  freezeMessage({ role, content: words.repeat(600) })

/** A dozen parallel calls with their results. */
function calls(name: string): Message[] {
  const ids = Array.from({ length: 12 }, (_, index) => `${name}${index}`)
  const tool_calls = ids.map((id) => ({
    id,
    type: 'function' as const,
    function: { name: 'read', arguments: '{}' },
  }))
  return [
    freezeMessage({ role: 'assistant', content: null, tool_calls }),
    ...ids.map((id) => freezeMessage({ role: 'tool', tool_call_id: id, content: `${id} `.repeat(300) })),
  ]
}

const FIRST = [text('system', 'Be exact. '), text('user', 'one '), ...calls('a'), text('user', 'two ')]
const GROWN = [...FIRST, ...calls('b')]
const PRICING_DATA = (['collapsed', 'per-block', 'exact'] as const).map(
  (matching): CachePricing => ({ ...TEST_PRICING, matching, lookback: matching === 'exact' ? 1 : 20 }),
)

/** A host with its provider, which holds only what reached it. */
function host(pricing: CachePricing, options: Partial<CachePlannerOptions> = {}) {
  let now = 0
  const clock = { now: () => now }
  const cache = createCachePlanner({ pricing, tokens, clock, ...options })
  const layouter = createLayouter(wire, tokens)
  let state = EMPTY_CACHE
  return {
    cache,
    clock,
    wait: (ms: number) => (now += ms),
    /** The provider's usage for the request, as Anthropic words it. */
    serve(messages: readonly Message[], anchors: readonly CacheAnchor[]) {
      const layout = layouter.layout({ messages })
      const refs = new Map(anchors.map(({ ref, ttl }) => [JSON.stringify(ref), ttl]))
      const markers = layout.blocks.flatMap(({ ref }, block) => {
        const ttl = refs.get(JSON.stringify(ref))
        return ttl === undefined ? [] : [{ block, ttl }]
      })
      const served = serveRequest({ layout, markers, at: now }, state, pricing)
      state = served.state
      const { read, write5m, uncached } = served.bill
      const usage = {
        input_tokens: uncached,
        output_tokens: 1,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: write5m,
      }
      return { read, usage }
    },
  }
}

describe.each(PRICING_DATA)('a request that never arrived, on a route that matches $matching', (pricing) => {
  it('is not counted on: the retry reads what the provider really holds', () => {
    const { cache, wait, serve } = host(pricing)
    const first = cache.plan({ messages: FIRST, tools: [] })
    cache.observe(serve(FIRST, first.anchors).usage)
    wait(20_000)
    cache.plan({ messages: GROWN, tools: [] }) // The provider is overloaded.
    wait(20_000)
    const retry = cache.plan({ messages: GROWN, tools: [] })
    const { read, usage } = serve(GROWN, retry.anchors)
    expect(retry.expected.read).toBe(first.expected.write5m)
    expect(read).toBe(retry.expected.read)
    expect(cache.observe(usage).verdict).toBe('hit')
  })
})

describe('what arrived', () => {
  it('is everything that was planned, for a host that never observes', () => {
    const { cache, wait } = host(TEST_PRICING)
    cache.plan({ messages: FIRST, tools: [] })
    wait(1000)
    const second = cache.plan({ messages: GROWN, tools: [] })
    expect(second.expected.read).toBeGreaterThan(0)
  })
})

describe('what the provider says', () => {
  const usageOf = (read: number, write: number, prompt: number) => ({
    promptTokens: prompt,
    completionTokens: 1,
    totalTokens: prompt + 1,
    cacheReadTokens: read,
    cacheWriteTokens: write,
  })
  const total = (plan: ReturnType<ReturnType<typeof createCachePlanner>['plan']>) =>
    plan.expected.read + plan.expected.write5m + plan.expected.uncached

  it('nothing is held where breakpoints are taken out', () => {
    const { cache } = host(TEST_PRICING)
    const plan = cache.plan({ messages: FIRST, tools: [] })
    expect(cache.observe(usageOf(0, 0, total(plan))).verdict).toBe('stripped')
    expect(cache.state.entries).toEqual([])
    expect(cache.plan({ messages: GROWN, tools: [] }).expected.read).toBe(0)
  })

  it('what it dropped is not held, and what it wrote for this request is', () => {
    const { cache, wait } = host(TEST_PRICING)
    const first = cache.plan({ messages: FIRST, tools: [] })
    cache.observe(usageOf(0, total(first), total(first)))
    wait(1000)
    const second = cache.plan({ messages: GROWN, tools: [] })
    const marked = second.anchors.length
    expect(cache.observe(usageOf(0, total(second), total(second))).verdict).toBe('expired')
    expect(cache.state.entries).toHaveLength(marked)
    wait(1000)
    expect(cache.plan({ messages: GROWN, tools: [] }).expected.read).toBe(total(second))
  })
})
