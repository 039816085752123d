import {
  type CachePricing,
  EMPTY_CACHE,
  findPricing,
  type Marker,
  type PlanRequest,
  planRequest,
  type RequestLayout,
  serveRequest,
} from '@palimpsest/prompt-caching'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lowerBound } from '../../src/cost/lower-bound.ts'

/** Sums of many small numbers differ in their last digits. */
const ROUNDING = 1e-9
const { long: _, ...SHORT } = findPricing({ model: 'claude-opus-5' })
const PRICING: CachePricing = { ...SHORT, minimumTokens: 0 }

/** A prompt of blocks of these sizes, each of which can carry a breakpoint. */
function layoutOf(sizes: readonly number[]): RequestLayout {
  const blocks = sizes.map((tokens, index) => {
    const ref = { at: 'message', index, block: 0 } as const
    return { kind: 'other', role: 'user', tokens, carries: true, ref, unit: index } as const
  })
  let tokens = 0
  const ends = sizes.map((size) => (tokens += size))
  const hashes = sizes.map((_, index) => sizes.slice(0, index + 1).join())
  return { blocks, hashes, ends, runs: sizes.map((_, index) => index + 1), tokens }
}

const size = fc.integer({ min: 1, max: 400 })

/** A conversation that grows by at most one block a request. */
function session(most: number, seconds: readonly number[]): fc.Arbitrary<PlanRequest[]> {
  const later = fc.record({ grown: fc.array(size, { maxLength: 1 }), pause: fc.constantFrom(...seconds) })
  return fc.tuple(size, fc.array(later, { minLength: 1, maxLength: most - 1 })).map(([first, rest]) => {
    const sizes = [first]
    let at = 0
    return [{ grown: [], pause: 0 }, ...rest].map(({ grown, pause }) => {
      sizes.push(...grown)
      at += pause * 1000
      return { layout: layoutOf(sizes), at }
    })
  })
}

/** The least that requests cost over all sets of breakpoints. */
function cheapest([request, ...rest]: readonly PlanRequest[], state = EMPTY_CACHE): number {
  if (request === undefined) return 0
  const blocks = [...request.layout.blocks.keys()]
  let least = Number.POSITIVE_INFINITY
  for (let set = 0; set < 2 ** blocks.length; set++) {
    const chosen = blocks.filter((_, bit) => set & (2 ** bit))
    const markers = chosen.map((block): Marker => ({ block, ttl: '5m' }))
    const served = serveRequest({ ...request, markers }, state, PRICING)
    least = Math.min(least, served.bill.usd + cheapest(rest, served.state))
  }
  return least
}

describe('the lower bound', () => {
  it('is reached by the best of all placements without pauses, and is not above it with pauses', () => {
    fc.assert(
      fc.property(session(4, [10, 200]), (requests) => {
        expect(cheapest(requests) / lowerBound(requests, PRICING)).toBeCloseTo(1, 9)
      }),
      { numRuns: 60 },
    )
    fc.assert(
      fc.property(session(3, [10, 290, 400, 4000]), (requests) => {
        expect(cheapest(requests)).toBeGreaterThanOrEqual(lowerBound(requests, PRICING) * (1 - ROUNDING))
      }),
      { numRuns: 100 },
    )
  })

  it('is below what strategies cost', () => {
    fc.assert(
      fc.property(
        session(12, [1, 60, 299, 301, 4000]),
        fc.constantFrom('sticky', 'system_and_3', 'off'),
        (requests, strategy) => {
          let state = EMPTY_CACHE
          let usd = 0
          for (const request of requests) {
            const served = planRequest(request, state, PRICING, { strategy })
            state = served.state
            usd += served.bill.usd
          }
          expect(usd).toBeGreaterThanOrEqual(lowerBound(requests, PRICING) * (1 - ROUNDING))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('multiplies a request by its tier, and takes one that is too short for plain input', () => {
    const requests = [0, 1000].map((at) => ({ layout: layoutOf([2000]), at }))
    const tiers = [{ above: 1500, factor: 5 }]
    expect(lowerBound(requests, { ...PRICING, tiers })).toBeCloseTo(5 * lowerBound(requests, PRICING), 12)
    const short = { ...PRICING, minimumTokens: 2001 }
    expect(lowerBound(requests, short)).toBeCloseTo((4000 * PRICING.input) / 1e6, 12)
  })
})
