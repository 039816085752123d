import type { CacheBill } from '@palimpsest/core'
import type { CacheRequest } from '../cache/cache-state.ts'
import { type CacheState, EMPTY_CACHE } from '../cache/cache-state.ts'
import { type ServedRequest, servePing, serveRequest } from '../cache/serve-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import { nextPing } from '../plan/keep-alive.ts'
import { planRequest } from '../plan/plan-breakpoints.ts'
import type { PlanOptions, PlanRequest } from '../plan/plan-options.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** The cost of a sequence of requests. */
export interface Simulation {
  readonly bills: readonly CacheBill[]
  /** Tokens of the requests; `usd` is that of the requests and of the pings. */
  readonly total: CacheBill
  /** Requests that only kept the cache alive, and what they cost, in US dollars: part of `total.usd`. */
  readonly pings: { readonly count: number; readonly usd: number }
  /** The cache behind the last request or ping, and the pauses. */
  readonly state: CacheState
}

/**
 * Prices requests as they were sent, on a cache that is empty before the first. It holds the bills and the provider's
 * cache, not the requests. Pings know nothing of the next request: a pause that is longer than they are worth is paid
 * for until they stop, and so is the end of the session.
 */
export function simulate(
  requests: Iterable<CacheRequest>,
  pricing: CachePricing,
  options: Pick<PlanOptions, 'keepAlive' | 'earlier'> = {},
): Simulation {
  return play(requests, pricing, options, (request, state) => serveRequest(request, state, pricing))
}

/** The same, with the breakpoints that a strategy places, which remembers what it has seen so far. */
export function simulateStrategy(
  requests: Iterable<PlanRequest>,
  pricing: CachePricing,
  options: PlanOptions = {},
): Simulation {
  return play(requests, pricing, options, (request, state) => planRequest(request, state, pricing, options))
}

function play<Request extends PlanRequest>(
  requests: Iterable<Request>,
  pricing: CachePricing,
  options: PlanOptions,
  serve: (request: Request, state: CacheState) => ServedRequest,
): Simulation {
  const bills: CacheBill[] = []
  const total = { read: 0, write5m: 0, write1h: 0, uncached: 0, usd: 0 }
  const pings = { count: 0, usd: 0 }
  let state = EMPTY_CACHE
  let before: Request | undefined
  const pingUntil = (until: number) => {
    if (before === undefined) return
    const idle = { layout: before.layout, idleSince: before.at, until }
    const kept = keepWarm(idle, state, pricing, options, pings.usd)
    pings.count += kept.count
    pings.usd += kept.usd
    state = kept.state
  }
  for (const request of requests) {
    pingUntil(request.at)
    const served = serve(request, state)
    bills.push(served.bill)
    total.read += served.bill.read
    total.write5m += served.bill.write5m
    total.write1h += served.bill.write1h
    total.uncached += served.bill.uncached
    total.usd += served.bill.usd
    state = served.state
    before = request
  }
  pingUntil(Number.POSITIVE_INFINITY)
  return { bills, total: { ...total, usd: total.usd + pings.usd }, pings, state }
}

/** The pings of one pause. */
function keepWarm(
  idle: { readonly layout: RequestLayout; readonly idleSince: number; readonly until: number },
  before: CacheState,
  pricing: CachePricing,
  options: PlanOptions,
  spentBefore: number,
): { readonly count: number; readonly usd: number; readonly state: CacheState } {
  const { layout, idleSince, until } = idle
  let state = before
  let count = 0
  let usd = 0
  for (let last = idleSince; ; ) {
    const ping = nextPing({ layout, state, pricing, spentUsd: spentBefore + usd, options, idleSince })
    if (ping === null || ping.at >= until || ping.at <= last) break
    const served = servePing({ layout, markers: ping.markers, at: ping.at }, state, pricing)
    state = served.state
    usd += served.bill.usd
    count++
    last = ping.at
  }
  return { count, usd, state }
}
