import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'
import type { ExpectedPauses } from './expect-pauses.ts'
import type { PlanOptions } from './plan-options.ts'

/** A ping that comes this long before the end is in time, in milliseconds: 270 s of five minutes. */
const PING_MARGIN_MS = 30_000

/** Time between pings, in milliseconds. */
export function pingIntervalMs({ seconds }: Pick<CacheLifetime, 'seconds'>): number {
  return Math.max(0, seconds * 1000 - PING_MARGIN_MS)
}

/**
 * The most pings that can pay for one pause. A ping reads the prompt, r·L, and a lapse costs one rewrite instead of a
 * read, (w − r)·L: so w/r − 1 of them. For five minutes that is 52 minutes of idleness at r = .1, 108 at .05.
 */
function mostPings({ write }: Pick<CacheLifetime, 'write'>, { read }: Pick<CachePricing, 'read'>): number {
  return Math.min(MOST_PINGS, Math.floor(Math.max(0, write / read - 1)))
}

/** More are planned for no pause, however cheap reading is: four hours of five minutes. */
const MOST_PINGS = 48

interface PingPlan {
  readonly pings: number
  /** Expected saving, in uncached tokens for each token of the prompt. */
  readonly saved: number
}

/**
 * The number of pings that saves most in a pause that has outlasted `lifetime`, which is the end of the session, or
 * one of `pausesPerEnd` other pauses. A ping is paid for if the session still pauses, and saves a rewrite if the pause
 * ends before the next one.
 */
function planPings(
  lifetime: CacheLifetime,
  { share }: Pick<ExpectedPauses, 'share'>,
  pausesPerEnd: number,
  pricing: CachePricing,
): PingPlan {
  const lifeMs = lifetime.seconds * 1000
  const interval = pingIntervalMs(lifetime)
  const total = 1 + pausesPerEnd * share(lifeMs, Number.POSITIVE_INFINITY)
  let best: PingPlan = { pings: 0, saved: 0 }
  let idle = total
  let saved = 0
  for (let ping = 1; ping <= mostPings(lifetime, pricing); ping++) {
    const from = lifeMs + (ping - 1) * interval
    const ended = pausesPerEnd * share(from, from + interval)
    saved += (ended * (lifetime.write - pricing.read) - idle * pricing.read) / total
    idle -= ended
    if (saved > best.saved) best = { pings: ping, saved }
  }
  return best
}

/** The expected cost of a token's pauses beyond reading it, in uncached tokens: rewrites and pings. */
export function pausesCost(
  lifetime: CacheLifetime,
  requests: number,
  pauses: ExpectedPauses,
  pricing: CachePricing,
  { keepAlive }: Pick<PlanOptions, 'keepAlive'>,
): number {
  const longPauses = requests * pauses.perRequest
  const lapses = longPauses * pauses.share(lifetime.seconds * 1000, Number.POSITIVE_INFINITY)
  const { saved } = keepAlive ? planPings(lifetime, pauses, longPauses, pricing) : { saved: 0 }
  return lapses * (lifetime.write - pricing.read) - (lapses + 1) * saved
}

/**
 * The pings that a pause is worth after a request whose prompt is held for `lifetime`. None when it is expected to be
 * cheaper that a short one lapses, and is written for long.
 */
export function pingsWorth(
  lifetime: CacheLifetime,
  pauses: ExpectedPauses,
  pricing: CachePricing,
  options: Pick<PlanOptions, 'ttl' | 'keepAlive'>,
): number {
  const { long } = pricing
  if (options.ttl === 'auto' && long !== undefined && lifetime !== long) {
    const renewed =
      pausesCost(long, pauses.requestsToChange, pauses, pricing, options) + long.write - pricing.read
    if (renewed < pausesCost(lifetime, pauses.requestsToChange, pauses, pricing, options)) return 0
  }
  return planPings(lifetime, pauses, pauses.requestsPerEnd * pauses.perRequest, pricing).pings
}
