import { describe, expect, it } from 'vitest'
import type { Marker } from '../../src/cache/cache-state.ts'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { serveRequest } from '../../src/cache/serve-request.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { simulate } from '../../src/simulate/simulate.ts'
import { answer, layoutOf, TEST_PRICING, user } from '../layouts.ts'
import { at, conversation, MINUTE, onSystem, tail } from './session-kit.ts'

const { long: _, ...shortOnly } = TEST_PRICING
const DEEPSEEK: CachePricing = {
  ...shortOnly,
  provider: 'deepseek',
  matching: 'prefix',
  input: 0.14,
  read: 0.02,
  short: { ttl: '12h', seconds: 12 * 3600, write: 1 },
  minimumTokens: 64,
  maxBreakpoints: 0,
}

describe('what is billed', () => {
  it('case 29: reads to A, writes for an hour to B, for five minutes to C, and the rest is plain input', () => {
    const system = [{ text: 'system', tokens: 2000 }]
    const first = layoutOf({ system, messages: [user('a', 300)] })
    const messages = [user('a', 300), answer('b', 500), user('c', 700), answer('d', 110)]
    const second = layoutOf({ system, messages })
    const { bills } = simulate(
      [
        { layout: first, markers: [onSystem(first, '1h')], at: 0 },
        {
          layout: second,
          markers: [onSystem(second, '1h'), at(second, 2, '1h'), at(second, 3, '5m')],
          at: MINUTE,
        },
      ],
      TEST_PRICING,
    )
    expect(bills[0]).toMatchObject({ read: 0, write1h: 2000, write5m: 0, uncached: 300 })
    // What Anthropic reports for the same request.
    const usage = {
      input_tokens: 110,
      cache_read_input_tokens: 2000,
      cache_creation: { ephemeral_1h_input_tokens: 800, ephemeral_5m_input_tokens: 700 },
    }
    expect(bills[1]).toMatchObject({
      read: usage.cache_read_input_tokens,
      write1h: usage.cache_creation.ephemeral_1h_input_tokens,
      write5m: usage.cache_creation.ephemeral_5m_input_tokens,
      uncached: usage.input_tokens,
    })
    expect(bills[1]?.usd).toBeCloseTo((2000 * 0.1 + 800 * 2 + 700 * 1.25 + 110) / 1e6, 12)
  })

  it('case 39: one token above 100,000 makes a request of Haiku 5.5 five times as dear', () => {
    const haiku: CachePricing = { ...TEST_PRICING, input: 0.1, tiers: [{ above: 100_000, factor: 5 }] }
    const usd = (tokens: number) =>
      serveRequest(
        { layout: layoutOf({ messages: [user('a', tokens)] }), markers: [], at: 0 },
        EMPTY_CACHE,
        haiku,
      ).bill.usd
    expect(usd(100_000)).toBeCloseTo(0.01, 12)
    expect(usd(100_001)).toBeCloseTo(0.0500005, 12)
  })

  it('case 42: an hour of storage at Gemini 2.5 Pro is in the price of writing, and four reads pay for it', () => {
    const storage = 4.5
    const input = 1.25
    const gemini: CachePricing = {
      ...shortOnly,
      matching: 'exact',
      lookback: 1,
      maxBreakpoints: 1,
      sliding: false,
      input,
      short: { ttl: '1h', seconds: 3600, write: 1 + storage / input },
      minimumTokens: 2048,
    }
    const layout = layoutOf({ messages: [user('a', 10_000)] })
    const cost = (reads: number, markers: readonly Marker[]) =>
      simulate(
        Array.from({ length: 1 + reads }, (_, index) => ({ layout, markers, at: index * 10 * MINUTE })),
        gemini,
      ).total.usd
    const cached = (reads: number) => cost(reads, [{ ...tail(layout), ttl: '1h' }])
    expect(cached(3)).toBeGreaterThan(cost(3, []))
    expect(cached(4)).toBeCloseTo(cost(4, []), 12)
    expect(cached(5)).toBeLessThan(cost(5, []))
    // Reading prolongs nothing: the eighth request, 70 minutes later, writes again.
    const { bills } = simulate(
      [0, 30, 59, 61].map((minute) => ({
        layout,
        markers: [{ ...tail(layout), ttl: '1h' }],
        at: minute * MINUTE,
      })),
      gemini,
    )
    expect(bills.map(({ read }) => read)).toEqual([0, 10_000, 10_000, 0])
  })

  it('case 43: DeepSeek divides a prompt into what it hits and what it misses', () => {
    const messages = conversation(20)
    const requests = [5, 10, 20].map((count, index) => ({
      layout: layoutOf({ messages: messages.slice(0, count) }),
      markers: [],
      at: index * MINUTE,
    }))
    const { bills } = simulate(requests, DEEPSEEK)
    expect(bills.map(({ read, uncached }) => [read, uncached])).toEqual([
      [0, 1000],
      [1000, 1000],
      [2000, 2000],
    ])
    for (const [index, { read, uncached, write5m, write1h }] of bills.entries()) {
      expect(read + uncached).toBe(requests[index]?.layout.tokens)
      expect([write5m, write1h]).toEqual([0, 0])
    }
  })
})
