import type { CacheObservation, Usage } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import type { Marker } from '../../src/cache/cache-state.ts'
import { type CacheState, EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { serveRequest } from '../../src/cache/serve-request.ts'
import { explainUsage } from '../../src/observe/explain-usage.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { calls, layoutOf, TEST_PRICING, type TestMessage, type TestRequest, user } from '../layouts.ts'

const MINUTE = 60_000
const PREFIX: CachePricing = { ...TEST_PRICING, matching: 'prefix', maxBreakpoints: 0 }
const EXACT: CachePricing = { ...TEST_PRICING, matching: 'exact', lookback: 1 }

const system = [{ text: 'system', tokens: 2000 }]
const tools = [
  { text: 'read', tokens: 300 },
  { text: 'write', tokens: 300 },
]

function conversation(count: number, size = 200): TestMessage[] {
  return Array.from({ length: count }, (_, index) => user(`message ${index}`, size))
}

const BEFORE: TestRequest = { tools, system, messages: conversation(5) }

interface Sent {
  readonly request: TestRequest
  /** Default: after a minute. */
  readonly at?: number
  /** Where breakpoints stand, from the end. Default: the last block. */
  readonly fromEnd?: readonly number[]
}

/** The observation of a request that comes after `BEFORE`, or after nothing. */
function observe(
  { request, at = MINUTE, fromEnd = [0] }: Sent,
  reported: {
    readonly promptTokens?: number
    readonly cacheReadTokens?: number
    readonly cacheWriteTokens?: number
  },
  {
    pricing = TEST_PRICING,
    before = BEFORE,
    fromEnd: ends = [0],
  }: { pricing?: CachePricing; before?: TestRequest | null; fromEnd?: readonly number[] } = {},
): CacheObservation {
  const markersFrom = (blocks: number, ends: readonly number[]): Marker[] =>
    pricing.matching === 'prefix'
      ? []
      : ends.toSorted((a, b) => b - a).map((end) => ({ block: blocks - 1 - end, ttl: '5m' }))
  let state: CacheState = EMPTY_CACHE
  let previous = null
  if (before !== null) {
    previous = { layout: layoutOf(before), at: 0 }
    const markers = markersFrom(previous.layout.blocks.length, ends)
    state = serveRequest({ ...previous, markers }, state, pricing).state
  }
  const layout = layoutOf(request)
  const markers = markersFrom(layout.blocks.length, fromEnd)
  const { bill: expected } = serveRequest({ layout, markers, at }, state, pricing)
  const usage: Usage = {
    promptTokens: layout.tokens,
    completionTokens: 10,
    totalTokens: layout.tokens + 10,
    ...reported,
  }
  return explainUsage({ usage, planned: { layout, markers, expected, at }, previous, state, pricing })
}

const NEXT: Sent = { request: { ...BEFORE, messages: conversation(6) } }

describe('explainUsage', () => {
  it('case 44: a count that is not reported is unknown, never zero', () => {
    expect(observe(NEXT, {})).toEqual({
      verdict: 'unknown',
      expectedRead: 3600,
      read: null,
      message: 'The provider did not say how much of the prompt it read from its cache.',
    })
    expect(observe(NEXT, { cacheReadTokens: Number.NaN }).read).toBeNull()
    expect(observe(NEXT, { cacheReadTokens: -1 }).verdict).toBe('unknown')
    // Nothing read, and it does not say what it wrote: lost on the way, or dropped by the provider?
    expect(observe(NEXT, { cacheReadTokens: 0 }).verdict).toBe('unknown')
    expect(observe(NEXT, { cacheReadTokens: 0, cacheWriteTokens: 0 }).verdict).toBe('stripped')
    expect(observe(NEXT, { cacheReadTokens: 0, cacheWriteTokens: 3800 }).verdict).toBe('expired')
  })

  it('is a hit when what was expected was read, by the provider’s own tokenizer', () => {
    expect(observe(NEXT, { cacheReadTokens: 3600 })).toMatchObject({
      verdict: 'hit',
      expectedRead: 3600,
      read: 3600,
      message: '3,600 tokens were read from the cache, as expected.',
    })
    // A third more tokens than we counted; steps of 128.
    expect(observe(NEXT, { promptTokens: 5067, cacheReadTokens: 4736 }).verdict).toBe('hit')
    expect(observe(NEXT, { promptTokens: 5067, cacheReadTokens: 3600 }).verdict).not.toBe('hit')
    expect(observe(NEXT, { promptTokens: 0, cacheReadTokens: 3600 }).verdict).toBe('hit')
    expect(observe(NEXT, { cacheReadTokens: 3800 }).verdict).toBe('hit')
  })

  it('finds nothing wrong with a first request', () => {
    const first = observe(NEXT, { cacheReadTokens: 0, cacheWriteTokens: 3800 }, { before: null })
    expect(first).toMatchObject({ verdict: 'hit', expectedRead: 0, read: 0 })
    expect(first.message).toContain('this was the first request; 3,800 tokens were expected to be written')
  })

  it('sees from the clock that it had lapsed', () => {
    const { verdict, message } = observe(
      { ...NEXT, at: 12 * MINUTE },
      { cacheReadTokens: 0, cacheWriteTokens: 3800 },
    )
    expect(verdict).toBe('expired')
    expect(message).toBe(
      'What is cached ends at messages[5] (user) and had lapsed: it was last used 12.0 minutes ago and lives for 5m.',
    )
    expect(observe({ ...NEXT, at: 12 * MINUTE }, { cacheReadTokens: 0 }, { pricing: PREFIX }).verdict).toBe(
      'expired',
    )
  })

  it('sees from the response that the provider dropped it', () => {
    const { verdict, message } = observe(NEXT, { cacheReadTokens: 0 }, { pricing: PREFIX })
    expect(verdict).toBe('expired')
    expect(message).toContain('0 of 3,600 tokens were read')
  })

  it.each<[string, Partial<TestRequest>, unknown, string]>([
    [
      'a message',
      { messages: [user('other', 200), ...conversation(5)] },
      { at: 'message', index: 1, block: 0 },
      'messages[1] (user) changed',
    ],
    [
      'the system prompt',
      { system: [{ text: 'It is 12:01.', tokens: 2000 }] },
      { at: 'system', block: 0 },
      'block 0 of the system prompt changed',
    ],
    ['the order of tools', { tools: tools.toReversed() }, { at: 'tool', index: 0 }, 'tools[0] changed'],
    [
      'a new tool',
      { tools: [...tools, { text: 'delete', tokens: 300 }] },
      { at: 'tool', index: 2 },
      'tools[2] is new',
    ],
    ['a tool less', { tools: tools.slice(0, 1) }, { at: 'tool', index: 1 }, 'tools[1] is gone'],
    [
      'the model',
      { settings: { model: 'other' } },
      undefined,
      'the model (or its effort of thinking) changed',
    ],
    [
      'the speed',
      { settings: { beforeSystem: 'fast' } },
      undefined,
      'speed, web search or citations changed',
    ],
    [
      'the tool choice',
      { settings: { beforeMessages: { tool_choice: 'any' } } },
      undefined,
      'tool choice, images, thinking or effort changed',
    ],
  ])('names what changed: %s', (_, change, ref, clause) => {
    const seen = observe(
      { request: { ...NEXT.request, ...change } },
      { cacheReadTokens: 0, cacheWriteTokens: 3800 },
    )
    expect(seen.verdict).toBe('changed')
    expect(seen.firstDifference).toEqual(ref)
    expect(seen.message).toBe(`Nothing could be read from the cache, because ${clause}.`)
  })

  it('names what changed when less could be read than was cached, though all that was expected was', () => {
    const request = { ...BEFORE, messages: [user('message 0', 200), user('edited', 200), ...conversation(3)] }
    for (const pricing of [PREFIX, TEST_PRICING]) {
      const fromEnd = pricing === PREFIX ? [] : [4, 0]
      const before = { ...BEFORE, messages: conversation(5) }
      const marked = { fromEnd: [4, 0], before, pricing }
      const seen = observe({ request, fromEnd }, { cacheReadTokens: 2800, cacheWriteTokens: 800 }, marked)
      expect(seen).toMatchObject({
        verdict: 'changed',
        expectedRead: 2800,
        firstDifference: { at: 'message', index: 2, block: 0 },
        message:
          'Only 2,800 of 3,600 tokens that were cached could be read, because messages[2] (user) changed.',
      })
    }
  })

  it('names a change behind what was cached, too', () => {
    const request = { ...BEFORE, messages: [...conversation(4), user('edited', 200), user('more', 100)] }
    const seen = observe(
      { request, fromEnd: [2, 0] },
      { cacheReadTokens: 3400, cacheWriteTokens: 300 },
      { fromEnd: [1] },
    )
    expect(seen).toMatchObject({ verdict: 'hit', firstDifference: { at: 'message', index: 5, block: 0 } })
    expect(seen.message).toBe(
      '3,400 tokens were read from the cache, as expected, although messages[5] (user) changed.',
    )
  })

  it('sees that a longer beginning was cached than the one that was found', () => {
    const far = { request: { ...BEFORE, messages: conversation(26) }, fromEnd: [0, 26] }
    const seen = observe(far, { cacheReadTokens: 2600, cacheWriteTokens: 5200 }, { fromEnd: [0, 5] })
    expect(seen).toMatchObject({ verdict: 'lookback-missed', expectedRead: 2600, read: 2600 })
    expect(seen.message).toBe(
      'What is cached ends at messages[5] (user), and no breakpoint stands within 20 positions of it.',
    )
    // The provider found it all the same.
    expect(observe(far, { cacheReadTokens: 3600 }, { fromEnd: [0, 5] }).verdict).toBe('hit')
  })

  it('never says “as expected” beside more that was expected', () => {
    const less = observe(NEXT, { cacheReadTokens: 3500 })
    expect(less.verdict).toBe('hit')
    expect(less.message).toBe('3,500 tokens of about 3,600 that were expected were read from the cache.')
    const first = observe(NEXT, { cacheReadTokens: 3000 }, { before: null })
    expect(first.message).toBe('3,000 tokens were read from the cache; none were expected to be.')
  })

  it('counts one as one', () => {
    expect(observe(NEXT, { cacheReadTokens: 0, cacheWriteTokens: 0 }).message).toMatch(
      /^1 breakpoint was sent and nothing was read or written: .* takes it out\.$/,
    )
    const two = observe({ ...NEXT, fromEnd: [0, 1] }, { cacheReadTokens: 0, cacheWriteTokens: 0 })
    expect(two.message).toMatch(/^2 breakpoints were sent .* takes them out\.$/)
    const tiny = observe({ request: { messages: [user('a', 1)] } }, { cacheReadTokens: 0 }, { before: null })
    expect(tiny.message).toContain('The prompt has 1 token,')
  })

  it('learns nothing from a usage that counts no tokens', () => {
    const seen = observe(NEXT, { promptTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 })
    expect(seen).toMatchObject({ verdict: 'unknown', read: null })
  })

  it('sees nothing changed where a request is the beginning of the one before', () => {
    const seen = observe(
      { request: { ...BEFORE, messages: conversation(3) } },
      { cacheReadTokens: 3200 },
      { pricing: PREFIX },
    )
    expect(seen).toMatchObject({ verdict: 'hit' })
    expect(seen).not.toHaveProperty('firstDifference')
  })

  it('sees that the breakpoints stand too far behind what is cached', () => {
    const far = { request: { ...BEFORE, messages: conversation(25) } }
    const missed = observe(far, { cacheReadTokens: 0, cacheWriteTokens: 7600 })
    expect(missed.verdict).toBe('lookback-missed')
    expect(missed.message).toBe(
      'What is cached ends at messages[5] (user), and no breakpoint stands within 20 positions of it.',
    )
    const exact = observe(NEXT, { cacheReadTokens: 0, cacheWriteTokens: 3800 }, { pricing: EXACT })
    expect(exact.verdict).toBe('lookback-missed')
    expect(exact.message).toContain('a breakpoint finds only what ends where it stands')
  })

  it('sees that a route counts parallel calls one by one', () => {
    const request = { ...BEFORE, messages: [...conversation(5), ...calls('call', 12, 50)] }
    const seen = observe({ request }, { cacheReadTokens: 0, cacheWriteTokens: 4800 })
    expect(seen).toMatchObject({ verdict: 'lookback-missed', expectedRead: 3600, read: 0 })
    expect(seen.message).toContain('a position of its own')
  })

  it('sees that the prompt is too short', () => {
    const request = { messages: conversation(2) }
    const before = { messages: conversation(1) }
    const seen = observe({ request }, { cacheReadTokens: 0, cacheWriteTokens: 0 }, { before })
    expect(seen.verdict).toBe('below-minimum')
    expect(seen.message).toBe('The prompt has 400 tokens, and test-model caches nothing below 1,024 tokens.')
    // We counted enough, the provider did not.
    expect(observe(NEXT, { promptTokens: 1000, cacheReadTokens: 0, cacheWriteTokens: 0 }).verdict).toBe(
      'below-minimum',
    )
  })

  it('sees with the first request that something takes breakpoints out', () => {
    const seen = observe(NEXT, { cacheReadTokens: 0, cacheWriteTokens: 0 }, { before: null })
    expect(seen.verdict).toBe('stripped')
    // Where none were sent, or the provider caches by itself, none were taken out.
    const none = { ...NEXT, fromEnd: [] }
    expect(observe(none, { cacheReadTokens: 0, cacheWriteTokens: 0 }).message).toContain(
      'no breakpoint was sent',
    )
    const automatic = observe(
      NEXT,
      { cacheReadTokens: 0, cacheWriteTokens: 0 },
      { before: null, pricing: PREFIX },
    )
    expect(automatic.verdict).toBe('hit')
  })

  it('expects nothing from a request that started at the same moment', () => {
    const seen = observe({ ...NEXT, at: 0 }, { cacheReadTokens: 0, cacheWriteTokens: 3800 })
    expect(seen.verdict).toBe('hit')
    expect(seen.message).toContain('Nothing was expected to be read')
  })
})
