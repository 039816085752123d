import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBillMeter } from '../../src/bill/bill-meter.ts'
import type { PlanRequest } from '../../src/plan/plan-options.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { findPricing } from '../../src/pricing/find-pricing.ts'
import { lowerBound } from '../../src/simulate/lower-bound.ts'
import { simulateStrategy } from '../../src/simulate/simulate.ts'
import { answer, calls, layoutOf, TEST_PRICING, user } from '../layouts.ts'
import { pricings, sessions } from '../simulate/random-sessions.ts'
import { MINUTE, SECOND } from '../simulate/session-kit.ts'

/** An agent at work: ten requests, twelve parallel calls in the middle, a pause that outlives five minutes. */
function agentSession(pricing: CachePricing): PlanRequest[] {
  const system = [{ text: 'Be terse.', tokens: 2000 }]
  const messages = [user('do it', 500)]
  let at = 0
  return Array.from({ length: 10 }, (_, turn) => {
    at += turn === 7 ? 10 * MINUTE : 20 * SECOND
    const layout = layoutOf({ system, messages: [...messages] }, pricing)
    messages.push(...(turn === 4 ? calls(`calls ${turn}`, 12, 100) : [answer(`a ${turn}`, 80)]))
    messages.push(user(`u ${turn}`, 400))
    return { layout, at }
  })
}

function meterOf(requests: readonly PlanRequest[], pricing: CachePricing, ttl: '5m' | '1h' | 'auto' = '5m') {
  const meter = createBillMeter(pricing, { ttl })
  const bills = requests.map((request) => meter.add(request))
  return { bill: meter.bill, bills }
}

describe('the bill of a session', () => {
  const kinds: [string, CachePricing][] = [
    ['a lookback that collapses runs', TEST_PRICING],
    ['one position a block', { ...TEST_PRICING, matching: 'per-block', lookback: 4 }],
    ['a provider that caches by itself', findPricing({ model: 'deepseek-flash' })],
    ['a dearer tier', { ...TEST_PRICING, tiers: [{ above: 4000, factor: 2 }] }],
  ]

  it.each(kinds)('has the dollars of each strategy as the simulator has them: %s', (_, pricing) => {
    const requests = agentSession(pricing)
    for (const ttl of ['5m', '1h', 'auto'] as const) {
      const { bill, bills } = meterOf(requests, pricing, ttl)
      const sticky = simulateStrategy(requests, pricing, { strategy: 'sticky', ttl })
      const sizes = requests.map(({ layout }) => layout.tokens)
      const tokens = sizes.reduce((sum, size) => sum + size, 0)
      expect(bills).toEqual(sticky.bills)
      expect(bill.requests).toBe(10)
      expect(bill.tokens).toBe(tokens)
      expect(bill.sticky).toBeCloseTo(sticky.total.usd, 12)
      expect(bill.systemAnd3).toBeCloseTo(
        simulateStrategy(requests, pricing, { strategy: 'system_and_3', ttl }).total.usd,
        12,
      )
      expect(bill.uncached).toBeCloseTo(
        simulateStrategy(requests, { ...pricing, matching: 'exact' }, { strategy: 'off' }).total.usd,
        12,
      )
      expect(bill.bound).toBeCloseTo(lowerBound(requests, pricing), 12)
      expect(bill.placementRatio).toBeCloseTo(bill.sticky / bill.bound, 12)
      expect(bill.cacheReadShare).toBeCloseTo(sticky.total.read / tokens, 12)
      expect(bill.bound).toBeGreaterThan(0)
      expect(bill.bound).toBeLessThanOrEqual(bill.sticky + 1e-12)
      expect(bill.sticky).toBeLessThan(bill.uncached)
    }
  })

  it('tells the strategies apart: without memory, twelve parallel calls are a miss', () => {
    const pricing: CachePricing = { ...TEST_PRICING, matching: 'per-block', lookback: 4 }
    const { sticky, systemAnd3 } = meterOf(agentSession(pricing), pricing).bill
    expect(sticky).toBeLessThan(systemAnd3)
  })

  it('counts what every request costs without a cache by its own tier', () => {
    const requests = agentSession(TEST_PRICING)
    const last = requests.at(-1)
    if (last === undefined) throw new Error('no request')
    const size = last.layout.tokens
    const dear = { ...TEST_PRICING, tiers: [{ above: size - 1, factor: 3 }] }
    const usd = meterOf(requests, TEST_PRICING).bill.uncached
    expect(meterOf(requests, dear).bill.uncached).toBeCloseTo(usd + (2 * size) / 1e6, 12)
  })

  it('is empty without requests', () => {
    expect(createBillMeter(TEST_PRICING).bill).toEqual({
      requests: 0,
      tokens: 0,
      uncached: 0,
      systemAnd3: 0,
      sticky: 0,
      bound: 0,
      placementRatio: 1,
      cacheReadShare: 0,
    })
  })

  it('is 0 for tokens that cost nothing, and its ratio 1', () => {
    const { bill } = meterOf(agentSession(TEST_PRICING), { ...TEST_PRICING, input: 0 })
    expect(bill).toMatchObject({ uncached: 0, systemAnd3: 0, sticky: 0, bound: 0, placementRatio: 1 })
    expect(bill.cacheReadShare).toBeGreaterThan(0)
  })

  it('agrees with the simulator on generated sessions', () => {
    fc.assert(
      fc.property(pricings, sessions, (pricing, requests) => {
        const { bill } = meterOf(requests, pricing)
        const usd = (strategy: 'sticky' | 'system_and_3') =>
          simulateStrategy(requests, pricing, { strategy, ttl: '5m' }).total.usd
        expect(bill.sticky).toBeCloseTo(usd('sticky'), 12)
        expect(bill.systemAnd3).toBeCloseTo(usd('system_and_3'), 12)
        expect(bill.bound).toBeLessThanOrEqual(Math.min(bill.sticky, bill.systemAnd3) + 1e-9)
      }),
      { numRuns: 60 },
    )
  })
})
