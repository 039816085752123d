import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'

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
 * How long pings pay, in milliseconds. A ping reads the prompt, r·L, and buys τ more of its life; a lapse costs one
 * rewrite instead of a read, (w − r)·L. So at most w/r − 1 pings, which is τ·(w/r − 1) of idleness: with τ = 4 minutes
 * and w = 1.25 46 minutes at r = .1, 96 at .05, 196 at .025 (arXiv 2607.19214). Who stops there has never paid more
 * than twice of what was best, however long the pause turns out to be.
 */
export function breakEvenIdleMs(
  { write }: Pick<CacheLifetime, 'write'>,
  { read }: Pick<CachePricing, 'read'>,
  intervalMs: number,
): number {
  return read === 0 ? Number.POSITIVE_INFINITY : intervalMs * Math.max(0, write / read - 1)
}
