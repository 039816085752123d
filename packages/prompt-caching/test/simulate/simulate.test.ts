import { describe, expect, it } from 'vitest'
import type { PlanRequest } from '../../src/plan/plan-options.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { lowerBound } from '../../src/simulate/lower-bound.ts'
import { simulate, simulateStrategy } from '../../src/simulate/simulate.ts'
import { layoutOf, TEST_PRICING, user } from '../layouts.ts'
import { sessionsThatPause } from '../plan/earlier-sessions.ts'

const MINUTE = 60_000

/** A conversation that grows by 500 tokens a request, each so many minutes after the one before. */
function growing(pauses: readonly number[]): PlanRequest[] {
  let at = 0
  return [0, ...pauses].map((pause, index) => {
    at += pause * MINUTE
    const messages = Array.from({ length: index + 1 }, (_, number) => user(`message ${number}`, 500))
    return { layout: layoutOf({ system: [{ text: 'system', tokens: 5000 }], messages }), at }
  })
}

describe('simulate', () => {
  it('says nothing of no requests', () => {
    const nothing = { read: 0, write5m: 0, write1h: 0, uncached: 0, usd: 0 }
    expect(simulate([], TEST_PRICING)).toMatchObject({
      bills: [],
      total: nothing,
      pings: { count: 0, usd: 0 },
    })
  })

  it('has one bill a request, which sum to the total', () => {
    const { bills, total } = simulateStrategy(growing([1, 1, 10, 1]), TEST_PRICING)
    expect(bills.map(({ read, write5m }) => [read, write5m])).toEqual([
      [0, 5500],
      [5500, 500],
      [6000, 500],
      [0, 7000],
      [7000, 500],
    ])
    expect(total.usd).toBeCloseTo(
      bills.reduce((sum, { usd }) => sum + usd, 0),
      12,
    )
    expect(total).toMatchObject({ read: 18_500, write5m: 14_000, write1h: 0, uncached: 0 })
  })

  it('prices requests as they were sent, and the same ones without breakpoints', () => {
    const requests = growing([1, 1]).map((request) => ({ ...request, markers: [] }))
    expect(simulate(requests, TEST_PRICING).total).toMatchObject({ uncached: 18_000, usd: 0.018 })
  })

  it('takes one request at a time from a source that never holds them all', () => {
    let alive = 0
    let most = 0
    function* source() {
      for (const request of growing([1, 1, 1, 1, 1])) {
        alive++
        most = Math.max(most, alive)
        yield { ...request, markers: [] }
        alive--
      }
    }
    expect(simulate(source(), TEST_PRICING).bills).toHaveLength(6)
    expect(lowerBound(source(), TEST_PRICING)).toBeGreaterThan(0)
    expect(most).toBe(1)
  })
})

describe('keep-alive', () => {
  const keepAlive = { budgetUsd: 1 }
  const earlier = sessionsThatPause(14)

  it('bridges a pause with pings, which are in the bill', () => {
    const session = growing([1, 14, 1])
    const without = simulateStrategy(session, TEST_PRICING)
    const kept = simulateStrategy(session, TEST_PRICING, { keepAlive, earlier })
    // 14 minutes: pings after 4.5 and 9, each reads 6,000 tokens; and the same with 7,000 behind the last request.
    expect(kept.pings.count).toBe(4)
    expect(kept.pings.usd).toBeCloseTo(2 * 0.0006 + 2 * 0.0007, 12)
    expect(kept.bills.map(({ read }) => read)).toEqual([0, 5500, 6000, 6500])
    const requests = kept.bills.reduce((sum, { usd }) => sum + usd, 0)
    expect(kept.total.usd).toBeCloseTo(requests + kept.pings.usd, 12)
    expect(kept.total.usd).toBeLessThan(without.total.usd)
    expect(kept.total.read + kept.total.write5m).toBe(
      session.reduce((sum, { layout }) => sum + layout.tokens, 0),
    )
  })

  it('does not know how long a pause is: it gives up in a long one, and has paid for nothing', () => {
    const night = growing([1, 600, 1])
    const kept = simulateStrategy(night, TEST_PRICING, { keepAlive, earlier: sessionsThatPause(52) })
    expect(kept.pings.count).toBe(22)
    expect(kept.bills[2]?.read).toBe(0)
    expect(kept.total.usd).toBeGreaterThan(simulateStrategy(night, TEST_PRICING).total.usd)
  })

  it('stops at the budget of the session', () => {
    const session = growing([1, 14, 14, 14])
    const budgetUsd = 4 * 0.00065
    const { pings } = simulateStrategy(session, TEST_PRICING, { keepAlive: { budgetUsd }, earlier })
    expect(pings.count).toBe(4)
    expect(pings.usd).toBeLessThanOrEqual(budgetUsd)
  })

  it('does not ping where reading keeps nothing alive, nor before the first pause of a first session', () => {
    expect(simulateStrategy(growing([1]), TEST_PRICING, { keepAlive }).pings.count).toBe(0)
    const fixed: CachePricing = { ...TEST_PRICING, sliding: false }
    expect(simulateStrategy(growing([1, 14]), fixed, { keepAlive, earlier }).pings.count).toBe(0)
  })

  it('goes with recorded breakpoints too', () => {
    const requests = growing([14]).map((request) => ({
      ...request,
      markers: [{ block: request.layout.blocks.length - 1, ttl: '5m' as const }],
    }))
    expect(simulate(requests, TEST_PRICING).bills[1]?.read).toBe(0)
    const kept = simulate(requests, TEST_PRICING, { keepAlive, earlier })
    expect(kept.pings.count).toBe(4)
    expect(kept.bills[1]?.read).toBe(5500)
  })
})
