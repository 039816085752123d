import type { CacheRequest } from '../cache/cache-state.ts'
import { lifetimeOf } from '../cache/entry-life.ts'
import { tierFactor } from '../cache/price-bill.ts'
import { commonBlocks } from '../cache/serve-request.ts'
import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'

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
  /** The last request's way through the trie, which the next one mostly begins with. `nodes` has all others. */
  let path: { readonly hashes: readonly string[]; readonly costs: TokenCosts[] } = { hashes: [], costs: [] }
  const read = Math.min(1, pricing.read)
  const lifetimes = lifetimesOf(pricing)
  // Where the provider caches by itself, each request is kept anew.
  const prolongs = pricing.sliding || pricing.matching === 'prefix'
  let units = 0

  const visit = (costs: TokenCosts, at: number, pinged: number, factor: number): TokenCosts =>
    visitToken(costs, {
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

  return {
    add({ layout: { blocks, hashes, ends, tokens: total }, at }) {
      const factor = tierFactor(total, pricing)
      const isCacheable = total >= pricing.minimumTokens && lifetimes.length > 0
      const common = commonBlocks(path.hashes, hashes)
      for (let index = common; index < path.costs.length; index++)
        nodes.set(path.hashes[index] ?? '', path.costs[index] ?? UNSENT)
      const costs = path.costs.slice(0, common)
      let [before, after, step, lowest] = [UNSENT, UNSENT, 0, Number.NaN]
      for (const [index, { tokens }] of blocks.entries()) {
        const known = costs[index] ?? nodes.get(hashes[index] ?? '') ?? UNSENT
        const pinged = lowestFactor(ends[index] ?? 0, pricing)
        // Blocks that came together have cost the same ever since.
        if (known !== before || pinged !== lowest) {
          ;[before, lowest] = [known, pinged]
          after = isCacheable ? visit(known, at, pinged, factor) : plainInput(known, factor)
          step = leastCost(after) - leastCost(known)
        }
        units += tokens * step
        costs[index] = after
      }
      path = { hashes, costs }
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
  if (pricing.tiers.length === 0) return 1
  const longer = pricing.tiers.filter(({ above }) => above >= tokens).map(({ factor }) => factor)
  return Math.min(tierFactor(tokens, pricing), ...longer)
}

/** A way in which a token may be cached, and what came together on the way there. */
interface Held {
  /** Milliseconds for which a write or a read keeps it. */
  readonly life: number
  /** Milliseconds since the epoch. */
  until: number
  readonly cost: number
}

/** The least that one token can have cost, by what may have become of it, in uncached tokens. */
export interface TokenCosts {
  /** Not cached. */
  readonly bare: number
  /** None is worse than another in cost, end and life at once. */
  readonly held: readonly Held[]
}

/** The ways in which a request can pay for one of its tokens. Costs are in uncached tokens. */
interface TokenVisit {
  /** Start of the request, in milliseconds since the epoch. */
  readonly at: number
  readonly uncached: number
  readonly read: number
  readonly writes: readonly { readonly life: number; readonly cost: number }[]
  /** A ping that keeps it for another life. Infinity where none is sent; null where reading prolongs nothing. */
  readonly ping: number | null
}

/** A token that was not sent yet has cost nothing. */
export const UNSENT: TokenCosts = Object.freeze({ bare: 0, held: [] })

/** Ways beyond this are merged into cheaper ones: the bound stays one. Real prices need at most three. */
const MAX_HELD = 8

/** The least costs after one more request that has the token. */
export function visitToken({ bare, held }: TokenCosts, visit: TokenVisit): TokenCosts {
  const { at, uncached, read, writes, ping } = visit
  const ways: Held[] = []
  let least = bare
  for (const { life, until, cost } of held) {
    least = Math.min(least, cost)
    if (ping !== null) {
      const pings = Math.max(0, Math.ceil((at - until) / life))
      const kept = pings === 0 ? 0 : pings * ping
      if (kept < Number.POSITIVE_INFINITY)
        ways.push({ life, until: Math.max(until, at + life), cost: cost + kept + read })
    } else if (at <= until) ways.push({ life, until, cost: cost + read })
  }
  for (const { life, cost } of writes) ways.push({ life, until: at + life, cost: least + cost })
  return { bare: least + uncached, held: withoutWorse(ways) }
}

/** The least that the token can have cost, whatever follows. */
export function leastCost({ bare, held }: TokenCosts): number {
  return held.reduce((least, { cost }) => Math.min(least, cost), bare)
}

function withoutWorse(ways: Held[]): Held[] {
  ways.sort((a, b) => a.cost - b.cost || b.until - a.until || b.life - a.life)
  const kept: Held[] = []
  for (const way of ways) {
    if (kept.some(({ until, life }) => until >= way.until && life >= way.life)) continue
    const last = kept[MAX_HELD - 1]
    if (last === undefined) kept.push(way)
    else last.until = Math.max(last.until, way.until)
  }
  return kept
}
