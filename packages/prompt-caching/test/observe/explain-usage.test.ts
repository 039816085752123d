import type { CacheObservation, Usage } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { explainUsage } from '../../src/observe/explain-usage.ts'
import { planRequest } from '../../src/plan/plan-request.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { layoutOf, TEST_PRICING, type TestMessage, type TestRequest, user } from '../layouts.ts'

const MINUTE = 60_000
const PREFIX: CachePricing = { ...TEST_PRICING, matching: 'prefix', maxBreakpoints: 0 }
const system = [{ text: 'system', tokens: 2000 }]
const tools = [
  { text: 'read', tokens: 300 },
  { text: 'write', tokens: 300 },
]

function conversation(count: number): TestMessage[] {
  return Array.from({ length: count }, (_, index) => user(`message ${index}`, 200))
}

const BEFORE: TestRequest = { tools, system, messages: conversation(5) }
const NEXT: TestRequest = { ...BEFORE, messages: conversation(6) }
/** Tokens of `BEFORE`. */
const CACHED = 3600

interface Scene {
  readonly before?: TestRequest | null
  readonly now?: TestRequest
  readonly at?: number
  readonly pricing?: CachePricing
}

/** The observation of a request that comes after `BEFORE`, a minute later by default. */
function observe(reported: Partial<Usage>, scene: Scene = {}): CacheObservation {
  const { before = BEFORE, now = NEXT, at = MINUTE, pricing = TEST_PRICING } = scene
  const first = before && { layout: layoutOf(before), at: 0 }
  const planned = first && planRequest(first, EMPTY_CACHE, pricing)
  const state = planned?.state ?? EMPTY_CACHE
  const layout = layoutOf(now)
  const { plan, markers } = planRequest({ layout, at }, state, pricing)
  const usage = {
    promptTokens: layout.tokens,
    completionTokens: 10,
    totalTokens: layout.tokens + 10,
    ...reported,
  }
  return explainUsage({
    ...{ usage, request: { layout, markers, at }, expected: plan.expected, before: state, pricing },
    previous: first && planned ? { ...first, markers: planned.markers } : null,
  })
}

describe('what a usage says of the cache', () => {
  it('case 44: a count that is not reported, or makes no sense, is unknown, never zero', () => {
    for (const reported of [{}, { cacheReadTokens: Number.NaN }, { cacheReadTokens: -1 }])
      expect(observe(reported)).toEqual({
        verdict: 'unknown',
        expectedRead: CACHED,
        read: null,
        message: 'The provider did not say how much of the prompt it read from its cache.',
      })
    expect(observe({ cacheReadTokens: 0, promptTokens: 0 })).toMatchObject({ verdict: 'unknown', read: null })
  })

  it.each([CACHED, CACHED - 300, CACHED + 500])('a hit, by whatever tokenizer: %i of 3,600', (read) => {
    expect(observe({ cacheReadTokens: read, cacheWriteTokens: 200 })).toMatchObject({ verdict: 'hit', read })
  })

  it('a prompt that is too short for the cache', () => {
    const now = { messages: conversation(2) }
    expect(observe({ cacheReadTokens: 0 }, { before: null, now })).toMatchObject({
      verdict: 'below-minimum',
      message: 'The prompt has 400 tokens, and test-model caches nothing below 1,024 tokens.',
    })
  })

  it('a pause that outlived the cache', () => {
    for (const pricing of [TEST_PRICING, PREFIX])
      expect(
        observe({ cacheReadTokens: 0, cacheWriteTokens: 3800 }, { at: 6 * MINUTE, pricing }),
      ).toMatchObject({
        verdict: 'expired',
        expectedRead: 0,
        message: 'What was cached had lapsed: it was last used 6.0 minutes ago.',
      })
  })

  it.each<[what: string, now: TestRequest, read: number, ref: object, clause: string]>([
    [
      'a message',
      { ...BEFORE, messages: [...conversation(3), user('other', 200), user('more', 200)] },
      2600,
      { at: 'message', index: 4, block: 0 },
      'messages[4] (user) changed',
    ],
    ['a tool', { ...NEXT, tools: tools.toReversed() }, 0, { at: 'tool', index: 0 }, 'tools[0] changed'],
    [
      'the system prompt',
      { ...NEXT, system: [{ text: 'other', tokens: 2000 }] },
      600,
      { at: 'system', block: 0 },
      'block 0 of the system prompt changed',
    ],
  ])('a beginning that changed: %s', (_, now, read, firstDifference, clause) => {
    const observed = observe({ cacheReadTokens: read, cacheWriteTokens: 1000 }, { now })
    expect(observed).toMatchObject({ verdict: 'changed', firstDifference })
    expect(observed.message).toContain(`because ${clause}.`)
  })
})
