import { lifetimeOf } from '../cache/entry-life.ts'
import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'
import type { PlanOptions } from './plan-options.ts'
import type { Situation } from './situation.ts'

/** A ping that comes this long before the end is in time, in milliseconds: 270 s of five minutes. */
const PING_MARGIN_MS = 30_000

/** Time between pings, in milliseconds. */
export function pingIntervalMs({ seconds }: Pick<CacheLifetime, 'seconds'>): number {
  return Math.max(0, seconds * 1000 - PING_MARGIN_MS)
}

/** Pings that keep a prompt alive through a pause: n = ⌈(pause − lifetime) / interval⌉. */
export function pingsDuring(pauseMs: number, lifetime: Pick<CacheLifetime, 'seconds'>): number {
  return Math.max(0, Math.ceil((pauseMs - lifetime.seconds * 1000) / pingIntervalMs(lifetime)))
}

/**
 * The idle time for which pings pay, in milliseconds. A ping reads the prompt, r·L, and buys τ more of its life; a
 * lapse costs one rewrite instead of a read, (w − r)·L. So at most w/r − 1 pings, or τ·(w/r − 1) of idleness: with τ
 * = 4 minutes and w = 1.25, 46 minutes at r = .1, 96 at .05, 196 at .025 (arXiv 2607.19214). Stopping there never
 * costs more than twice the best, however long the pause turns out to be.
 */
export function breakEvenIdleMs(
  { write }: Pick<CacheLifetime, 'write'>,
  { read }: Pick<CachePricing, 'read'>,
  intervalMs: number,
): number {
  return read === 0 ? Number.POSITIVE_INFINITY : intervalMs * Math.max(0, write / read - 1)
}

/**
 * The lifetime for the entries of a request. `auto` writes for the short one until a pause outlasts it, and then for
 * the long one, as long as more of these pauses ended within the long one than did not. With r and w the prices of
 * reading and writing, one such pause costs w_short − r a token, and the long lifetime w_long − w_short, which is
 * less (.75 and 1.15 at Anthropic): one more such pause pays for it. The rule costs as much as the short lifetime
 * without pauses, one rewrite more than the long one with many, and more than both with a single one. Pauses that
 * pings bridge do not count. Nothing is written for long behind a short entry: it would live no longer.
 */
export function chooseTtl(situation: Situation, options: PlanOptions): CacheLifetime {
  const { short, long } = situation.pricing
  if (long === undefined) return short
  if (options.ttl === '1h') return long
  return options.ttl === 'auto' && isLongLikely(situation, long, options) ? long : short
}

function isLongLikely(
  { at, state, deepest, pricing }: Situation,
  long: CacheLifetime,
  { keepAlive }: PlanOptions,
): boolean {
  const { short } = pricing
  if (state.lastStart === null || !pricing.sliding) return false
  if (deepest !== undefined && lifetimeOf(deepest.ttl, pricing) !== long) return false
  const bridged = keepAlive ? breakEvenIdleMs(short, pricing, pingIntervalMs(short)) : 0
  const lapses = [...state.pauses, at - state.lastStart].filter(
    (pause) => pause > short.seconds * 1000 + bridged,
  )
  const outlived = lapses.filter((pause) => pause <= long.seconds * 1000).length
  return outlived > lapses.length - outlived
}
