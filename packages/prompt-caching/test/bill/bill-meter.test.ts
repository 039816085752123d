import { describe, expect, it } from 'vitest'
import { createBillMeter } from '../../src/bill/bill-meter.ts'
import type { PlanRequest } from '../../src/plan/plan-request.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { findPricing } from '../../src/pricing/find-pricing.ts'
import { answer, calls, layoutOf, TEST_PRICING, user } from '../layouts.ts'
import { playSession } from '../plan/play-session.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** An agent at work: ten requests, twelve parallel calls in the middle, a pause that outlives five minutes. */
function agentSession(): PlanRequest[] {
  const system = [{ text: 'Be terse.', tokens: 2000 }]
  const messages = [user('do it', 500)]
  let at = 0
  return Array.from({ length: 10 }, (_, turn) => {
    at += turn === 7 ? 10 * MINUTE : 20 * SECOND
    const layout = layoutOf({ system, messages: [...messages] })
    messages.push(...(turn === 4 ? calls(`calls ${turn}`, 12, 100) : [answer(`a ${turn}`, 80)]))
    messages.push(user(`u ${turn}`, 400))
    return { layout, at }
  })
}

function billOf(pricing: CachePricing, ttl: '5m' | '1h' = '5m') {
  const meter = createBillMeter(pricing, { ttl })
  for (const request of agentSession()) meter.add(request)
  return meter.bill
}

describe('the bill of a session', () => {
  const kinds: [string, CachePricing][] = [
    ['a lookback that collapses runs', TEST_PRICING],
    ['one position a block', { ...TEST_PRICING, matching: 'per-block', lookback: 4 }],
    ['a provider that caches by itself', findPricing({ model: 'deepseek-flash' })],
    ['a dearer tier', { ...TEST_PRICING, tiers: [{ above: 4000, factor: 2 }] }],
  ]

  it.each(kinds)('has what the provider bills with each strategy: %s', (_, pricing) => {
    for (const ttl of ['5m', '1h'] as const) {
      const bill = billOf(pricing, ttl)
      const played = (strategy: 'sticky' | 'system_and_3' | 'off') => {
        const session = playSession(pricing, { strategy, ttl })
        const read = agentSession().map(({ layout, at }) => session.send(layout, at).served.bill.read)
        return { usd: session.usd, read: read.reduce((sum, tokens) => sum + tokens, 0) }
      }
      const tokens = agentSession().reduce((sum, { layout }) => sum + layout.tokens, 0)
      expect(bill).toMatchObject({ requests: 10, tokens })
      expect(bill.sticky).toBeCloseTo(played('sticky').usd, 12)
      expect(bill.systemAnd3).toBeCloseTo(played('system_and_3').usd, 12)
      if (pricing.matching !== 'prefix') expect(bill.uncached).toBeCloseTo(played('off').usd, 12)
      expect(bill.cacheReadShare).toBeCloseTo(played('sticky').read / tokens, 12)
      expect(bill.sticky).toBeLessThan(bill.uncached)
    }
  })

  it('tells the strategies apart: without memory, twelve parallel calls are a miss', () => {
    const { sticky, systemAnd3 } = billOf({ ...TEST_PRICING, matching: 'per-block', lookback: 4 })
    expect(sticky).toBeLessThan(systemAnd3)
  })
})
