import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Marker } from '../../src/cache/cache-state.ts'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { serveRequest } from '../../src/cache/serve-request.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { createLowerBound, lowerBound } from '../../src/simulate/lower-bound.ts'
import { simulate, simulateStrategy } from '../../src/simulate/simulate.ts'
import { layoutOf, TEST_PRICING, user } from '../layouts.ts'
import { sessionsThatPause } from '../plan/earlier-sessions.ts'
import { markedSessions, pricings, type RandomSession, sessions } from './random-sessions.ts'

/** Sums of many small numbers differ in their last digits. */
const ROUNDING = 1e-9
const MINUTE = 60_000

const seen = { sessions: 0, withReads: 0, requests: 0, pings: 0, smallest: Number.POSITIVE_INFINITY }

/** Sessions in which nothing is read reach the bound in a trivial way: the smallest ratio is that of the others. */
function check(cost: number, bound: number, requests: number, read: number): void {
  seen.sessions++
  seen.requests += requests
  if (read > 0) {
    seen.withReads++
    seen.smallest = Math.min(seen.smallest, cost / bound)
  }
  expect(cost).toBeGreaterThanOrEqual(bound * (1 - ROUNDING))
}

/** The cost of a session with its random pings, which `simulate` does not know. */
function costWithPings({ pricing, requests }: RandomSession): { usd: number; read: number } {
  let state = EMPTY_CACHE
  let usd = 0
  let read = 0
  for (const request of requests) {
    for (const each of [request, ...request.pings]) {
      const served = serveRequest(each, state, pricing)
      usd += served.bill.usd
      read += served.bill.read
      state = served.state
    }
    seen.pings += request.pings.length
  }
  return { usd, read }
}

describe('lowerBound', () => {
  afterAll(() => {
    const { smallest, ...counts } = seen
    console.log(`cost ≥ bound: ${JSON.stringify(counts)}, smallest cost / bound ${smallest.toFixed(6)}`)
  })

  it('case 45: no placement of breakpoints costs less, at any times, and the classes sum to the prompt', () => {
    fc.assert(
      fc.property(markedSessions, ({ pricing, requests }) => {
        const { bills, total } = simulate(requests, pricing)
        for (const [index, { read, write5m, write1h, uncached }] of bills.entries()) {
          expect(Math.min(read, write5m, write1h, uncached)).toBeGreaterThanOrEqual(0)
          expect(read + write5m + write1h + uncached).toBe(requests[index]?.layout.tokens)
        }
        check(total.usd, lowerBound(requests, pricing), requests.length, total.read)
      }),
      { numRuns: 500 },
    )
  })

  it('case 45: no pings make it cheaper either', () => {
    fc.assert(
      fc.property(markedSessions, (session) => {
        const { pricing, requests } = session
        const { usd, read } = costWithPings(session)
        check(usd, lowerBound(requests, pricing), requests.length, read)
      }),
      { numRuns: 500 },
    )
  })

  it.each(['sticky', 'system_and_3', 'off'] as const)(
    'case 45: %s costs no less, with and without pings',
    (strategy) => {
      fc.assert(
        fc.property(
          pricings,
          sessions,
          fc.constantFrom('5m', '1h', 'auto'),
          fc.constantFrom(null, { budgetUsd: 1 }),
          fc.constantFrom([], sessionsThatPause(8), sessionsThatPause(52)),
          (pricing, session, ttl, keepAlive, earlier) => {
            const options = { strategy, ttl, keepAlive, earlier }
            const { total, pings } = simulateStrategy(session, pricing, options)
            seen.pings += pings.count
            const bound = lowerBound(session, pricing)
            check(total.usd, bound, session.length, total.read)
            const unpinged = lowerBound(session, pricing, { pings: false })
            expect(unpinged).toBeGreaterThanOrEqual(bound - 1e-12)
            if (pings.count === 0) expect(total.usd).toBeGreaterThanOrEqual(unpinged - 1e-12)
          },
        ),
        { numRuns: 200 },
      )
    },
  )

  it('is min(n, w + (n − 1)·r) without pauses, and 1 for a single request', () => {
    const layout = layoutOf({ messages: [user('a', 2000)] })
    const usd = (n: number, pricing = TEST_PRICING) =>
      lowerBound(
        Array.from({ length: n }, (_, index) => ({ layout, at: index * 1000 })),
        pricing,
      )
    expect(usd(1)).toBeCloseTo(0.002, 12)
    for (const n of [2, 3, 10]) expect(usd(n)).toBeCloseTo(0.002 * (1.25 + (n - 1) * 0.1), 12)
    const dear = { ...TEST_PRICING, read: 0.9 }
    expect([2, 3, 4].map((n) => usd(n, dear) / 0.002)).toEqual(
      [2, 3, 3.95].map((units) => expect.closeTo(units, 9)),
    )
  })

  it('takes the cheapest of lapsing, pings and the long lifetime in a pause', () => {
    const layout = layoutOf({ messages: [user('a', 2000)] })
    const { long: _, ...short } = TEST_PRICING
    const units = (minutes: number, pricing: CachePricing, pings = true) => {
      const times = [0, 1, 1 + minutes].map((at) => ({ layout, at: at * MINUTE }))
      return lowerBound(times, pricing, { pings }) / 0.002
    }
    expect(units(8, short, false)).toBeCloseTo(1.25 + 0.1 + 1, 9)
    expect(units(8, TEST_PRICING, false)).toBeCloseTo(2 + 0.1 + 0.1, 9)
    expect(units(4, short, false)).toBeCloseTo(1.25 + 0.1 + 0.1, 9)
    // Written once, read twice; one ping bridges 8 minutes.
    expect(units(8, short)).toBeCloseTo(1.25 + 0.1 + 0.1 + 0.1, 9)
    // Twelve pings cost more than not to be cached at the end.
    expect(units(65, short)).toBeCloseTo(1.25 + 0.1 + 1, 9)
    expect(units(40, short)).toBeCloseTo(1.25 + 0.1 + 7 * 0.1 + 0.1, 9)
    expect(units(55, { ...short, read: 0.25 })).toBeCloseTo(1.25 + 0.25 + 1, 9)
    expect(units(55, { ...TEST_PRICING, read: 0.25 })).toBeCloseTo(2 + 0.25 + 0.25, 9)
  })

  it('lets reading prolong nothing where it does not', () => {
    const layout = layoutOf({ messages: [user('a', 2000)] })
    const fixed: CachePricing = { ...TEST_PRICING, matching: 'exact', maxBreakpoints: 1, sliding: false }
    const { long: _, ...short } = fixed
    const requests = [0, 4, 8, 12].map((at) => ({ layout, at: at * MINUTE }))
    // A write lives for two of them.
    expect(lowerBound(requests, short) / 0.002).toBeCloseTo(2 * (1.25 + 0.1), 9)
    expect(lowerBound(requests, { ...short, sliding: true }) / 0.002).toBeCloseTo(1.25 + 0.3, 9)
    expect(lowerBound(requests, fixed) / 0.002).toBeCloseTo(2 + 0.3, 9)
  })

  it('multiplies a request by its tier', () => {
    const tiers = [{ above: 1500, factor: 5 }]
    const layout = layoutOf({ messages: [user('a', 2000)] })
    const requests = [0, 1000].map((at) => ({ layout, at }))
    expect(lowerBound(requests, { ...TEST_PRICING, tiers })).toBeCloseTo(
      5 * lowerBound(requests, TEST_PRICING),
      12,
    )
  })

  it('knows that a short ping can warm a request that is dear as a whole', () => {
    const { long: _, ...short } = TEST_PRICING
    const pricing: CachePricing = { ...short, minimumTokens: 0, tiers: [{ above: 1500, factor: 5 }] }
    const small = conversation([1000])
    const large = conversation([1000, 1000])
    const markers: Marker[] = [{ block: small.blocks.length - 1, ttl: '5m' }]
    const night = 600 * MINUTE
    const requests = [
      { layout: small, at: 0, markers: [] },
      { layout: large, at: night, markers },
    ]
    const ping = { layout: small, at: night - MINUTE, markers }
    const { total } = simulate(
      [requests[0], ping, requests[1]].flatMap((each) => each ?? []),
      pricing,
    )
    expect(total.usd).toBeCloseTo((1000 + 1250 + 5 * (100 + 1000)) / 1e6, 12)
    expect(lowerBound(requests, pricing)).toBeCloseTo(total.usd, 12)
  })

  it('lets what is cached outlive a request that is too short for the cache', () => {
    const large = conversation([1000, 1000])
    const markers: Marker[] = [{ block: large.blocks.length - 1, ttl: '5m' }]
    const requests = [
      { layout: large, at: 0, markers },
      { layout: conversation([1000]), at: 2 * MINUTE, markers: [] },
      { layout: large, at: 4 * MINUTE, markers },
    ]
    const { bills, total } = simulate(requests, TEST_PRICING)
    expect(bills.map(({ read }) => read)).toEqual([0, 0, 2000])
    expect(lowerBound(requests, TEST_PRICING)).toBeCloseTo(total.usd, 12)
  })

  it('streams: what was added is enough to go on', () => {
    fc.assert(
      fc.property(pricings, sessions, (pricing, session) => {
        const bound = createLowerBound(pricing)
        let last = 0
        for (const request of session) {
          bound.add(request)
          expect(bound.usd).toBeGreaterThanOrEqual(last * (1 - ROUNDING))
          last = bound.usd
        }
        expect(bound.usd).toBe(lowerBound(session, pricing))
      }),
      { numRuns: 100 },
    )
  })
})

function conversation(sizes: readonly number[]): RequestLayout {
  return layoutOf({ messages: sizes.map((tokens, index) => user(`message ${index}`, tokens)) })
}
