import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Marker } from '../../src/cache/cache-state.ts'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { serveRequest } from '../../src/cache/serve-request.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { type BoundRequest, lowerBound } from '../../src/simulate/lower-bound.ts'
import { layoutOf, TEST_PRICING, user } from '../layouts.ts'

/** Sums of many small numbers differ in their last digits. */
const ROUNDING = 1e-9

/** As many breakpoints as there are blocks, on anything. */
const EVERYWHERE: CachePricing = { ...TEST_PRICING, minimumTokens: 0, maxBreakpoints: 9 }

describe('lowerBound, against all placements', () => {
  it('is reached by the best of all placements on small sessions without pauses', () => {
    const { long: _, ...short } = EVERYWHERE
    const { tried, reached } = bruteForce(short, [10, 200], 4)
    console.log(`bound reached by brute force: ${reached} of ${tried} sessions without pauses`)
    expect(reached).toBe(tried)
  })

  it('is not above the best of all placements and lifetimes on small sessions with pauses', () => {
    const fixed = bruteForce({ ...EVERYWHERE, sliding: false }, [10, 290, 400, 4000], 3)
    const sliding = bruteForce(EVERYWHERE, [10, 290, 400, 4000], 3)
    const told = ({ reached, tried }: typeof fixed) => `${reached} of ${tried}`
    console.log(
      `bound reached with pauses and no pings: ${told(sliding)}; where reading prolongs nothing: ${told(fixed)}`,
    )
    expect(sliding.reached).toBeGreaterThan(0)
    expect(fixed.reached).toBeGreaterThan(0)
  })
})

/** Random small sessions against all their placements; how many were tried, and how many reach the bound. */
function bruteForce(pricing: CachePricing, seconds: readonly number[], most: number) {
  const counts = { tried: 0, reached: 0 }
  const size = fc.integer({ min: 1, max: 400 })
  const later = fc.record({ grown: fc.array(size, { maxLength: 1 }), pause: fc.constantFrom(...seconds) })
  fc.assert(
    fc.property(size, fc.array(later, { minLength: 1, maxLength: most - 1 }), (first, rest) => {
      const sizes = [first]
      let at = 1000
      const session = [{ layout: conversation(sizes), at }]
      for (const { grown, pause } of rest) {
        sizes.push(...grown)
        at += pause * 1000
        session.push({ layout: conversation(sizes), at })
      }
      const best = cheapest(session, pricing)
      const bound = lowerBound(session, pricing)
      counts.tried++
      expect(best).toBeGreaterThanOrEqual(bound * (1 - ROUNDING))
      if (best <= bound * (1 + ROUNDING)) counts.reached++
    }),
    { numRuns: 150 },
  )
  return counts
}

function conversation(sizes: readonly number[]) {
  return layoutOf({ messages: sizes.map((tokens, index) => user(`message ${index}`, tokens)) })
}

/** The least that a session costs over all sets of breakpoints, with all lifetimes that the pricing has. */
function cheapest(session: readonly BoundRequest[], pricing: CachePricing, state = EMPTY_CACHE): number {
  const [request, ...rest] = session
  if (request === undefined) return 0
  const blocks = request.layout.blocks.flatMap(({ carries }, index) => (carries ? [index] : []))
  let least = Number.POSITIVE_INFINITY
  for (let set = 0; set < 2 ** blocks.length; set++) {
    const chosen = blocks.filter((_, bit) => set & (2 ** bit))
    for (let longs = 0; longs <= (pricing.long === undefined ? 0 : chosen.length); longs++) {
      const markers = chosen.map((block, index): Marker => ({ block, ttl: index < longs ? '1h' : '5m' }))
      const served = serveRequest({ ...request, markers }, state, pricing)
      least = Math.min(least, served.bill.usd + cheapest(rest, pricing, served.state))
    }
  }
  return least
}
