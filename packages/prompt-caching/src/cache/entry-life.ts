import type { CacheTtl } from '@palimpsest/core'
import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'
import type { CacheEntry, CacheState } from './cache-state.ts'

/**
 * The lifetime that a breakpoint's TTL means on this route: the long one if it has one of that name, else the short.
 */
export function lifetimeOf(ttl: CacheTtl, { short, long }: CachePricing): CacheLifetime {
  return long?.ttl === ttl ? long : short
}

/** Whether the provider still holds it: a lifetime of 300 s is over after 300 s. */
export function isHeld(
  { ttl, usedAt }: Pick<CacheEntry, 'ttl' | 'usedAt'>,
  at: number,
  pricing: CachePricing,
): boolean {
  return at - usedAt <= lifetimeOf(ttl, pricing).seconds * 1000
}

/** Whether a request that starts at `at` can read it: it is held, and its answer began before. */
function isLive(entry: CacheEntry, at: number, pricing: CachePricing): boolean {
  return entry.readableFrom < at && isHeld(entry, at, pricing)
}

/** The entries that a request can read if it starts at `at`. */
export function liveEntries(state: CacheState, at: number, pricing: CachePricing): readonly CacheEntry[] {
  return state.entries.filter((entry) => isLive(entry, at, pricing))
}
