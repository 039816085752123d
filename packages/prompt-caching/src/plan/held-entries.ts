import type { CacheEntry, CacheState } from '../cache/cache-state.ts'
import { liveEntries } from '../cache/entry-life.ts'
import { isPrefixOf } from '../cache/find-hit.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/**
 * The entries that a request can read if it starts at `at`, begins with, and can mark again. Linear in the number of
 * remembered entries.
 */
export function heldEntries(
  layout: RequestLayout,
  state: CacheState,
  at: number,
  pricing: CachePricing,
): readonly CacheEntry[] {
  return liveEntries(state, at, pricing).filter(
    (entry) => isPrefixOf(entry, layout) && layout.blocks[entry.block]?.carries === true,
  )
}
