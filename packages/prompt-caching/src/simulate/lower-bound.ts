import type { CacheRequest } from '../cache/cache-state.ts'
import { lifetimeOf } from '../cache/entry-life.ts'
import { tierFactor } from '../cache/price-bill.ts'
import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'
import { leastCost, type TokenCosts, UNSENT, visitToken } from './token-costs.ts'

/** A request without its breakpoints. */
export type BoundRequest = Pick<CacheRequest, 'layout' | 'at'>

export interface LowerBound {
  add(request: BoundRequest): void
  /** The least that the requests so far can cost, in US dollars. */
  readonly usd: number
}

export interface LowerBoundOptions {
  /** Whether the least cost may use pings. Default true. */
  readonly pings?: boolean
}

/**
 * The least cost of a sequence of requests under `serveRequest`, with any breakpoints, lifetimes and pings, planned
 * with knowledge of the future: every pause, every change and the end of the session. For plans with one lifetime, leave `long` out of the pricing. A token costs at least
 * what it would cost alone: in each request that begins with the same tokens up to it, it is plain input, or written,
 * or read if it was written or read by pings within its lifetime: min(n, w + (n − 1)·r) for n requests without
 * pauses. Tokens with the same beginning are one node of a trie of prefixes, and the bound is the sum of their least
 * costs. Lookback, four breakpoints, blocks without markers and requests at the same moment are left out: the bound
 * may be lower than the best plan, never higher.
 */
export function createLowerBound(
  pricing: CachePricing,
  { pings = true }: LowerBoundOptions = {},
): LowerBound {
  const nodes = new Map<string, TokenCosts>()
  const read = Math.min(1, pricing.read)
  const lifetimes = lifetimesOf(pricing)
  // Where the provider caches by itself, each request is kept anew.
  const prolongs = pricing.sliding || pricing.matching === 'prefix'
  let units = 0

  const visit = (costs: TokenCosts, at: number, end: number, factor: number): TokenCosts => {
    const pinged = lowestFactor(end, pricing)
    return visitToken(costs, {
      at,
      uncached: factor,
      read: read * factor,
      // A ping can write before the request does, which is cheaper if the request is dearer as a whole.
      writes: lifetimes.map(({ seconds, write }) => ({
        life: seconds * 1000,
        cost: Math.min(write * factor, write * pinged + read * factor),
      })),
      ping: prolongs ? (pings ? read * pinged : Number.POSITIVE_INFINITY) : null,
    })
  }

  return {
    add({ layout: { blocks, hashes, ends, tokens: total }, at }) {
      const factor = tierFactor(total, pricing)
      const isCacheable = total >= pricing.minimumTokens && lifetimes.length > 0
      for (const [index, { tokens }] of blocks.entries()) {
        const hash = hashes[index]
        const end = ends[index]
        if (tokens === 0 || hash === undefined || end === undefined) continue
        const before = nodes.get(hash) ?? UNSENT
        const after = isCacheable ? visit(before, at, end, factor) : plainInput(before, factor)
        units += tokens * (leastCost(after) - leastCost(before))
        nodes.set(hash, after)
      }
    },
    get usd() {
      return (units * pricing.input) / 1_000_000
    },
  }
}

/** `createLowerBound` for a whole sequence, in the order of time. In US dollars. */
export function lowerBound(
  requests: Iterable<BoundRequest>,
  pricing: CachePricing,
  options?: LowerBoundOptions,
): number {
  const bound = createLowerBound(pricing, options)
  for (const request of requests) bound.add(request)
  return bound.usd
}

/** Where the provider caches by itself, what is new is plain input and is cached all the same. */
function lifetimesOf(pricing: CachePricing): readonly CacheLifetime[] {
  const { matching, short, long, maxBreakpoints } = pricing
  if (matching === 'prefix') return [{ ...lifetimeOf(short.ttl, pricing), write: 1 }]
  if (maxBreakpoints === 0) return []
  return long === undefined ? [short] : [short, long]
}

/** A request that is too short for the cache: what is held stays held as long as it was. */
function plainInput({ bare, held }: TokenCosts, factor: number): TokenCosts {
  return { bare: bare + factor, held: held.map((way) => ({ ...way, cost: way.cost + factor })) }
}

/** The factor of the cheapest prompt that has at least this many tokens: a ping need not be longer. */
function lowestFactor(tokens: number, pricing: CachePricing): number {
  const longer = pricing.tiers.filter(({ above }) => above >= tokens).map(({ factor }) => factor)
  return Math.min(tierFactor(tokens, pricing), ...longer)
}
