import type { CacheEntry, CacheState } from '../cache/cache-state.ts'
import { liveEntries } from '../cache/entry-life.ts'
import { isPrefixOf } from '../cache/find-hit.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** What a request that starts at `at` can read, begins with, and can mark again. Linear in what is remembered. */
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

/** The one that ends last; of several the first. */
export function deepestOf<Entry extends { readonly block: number }>(
  entries: readonly Entry[],
): Entry | undefined {
  let deepest: Entry | undefined
  for (const entry of entries) {
    if (deepest === undefined || entry.block > deepest.block) deepest = entry
  }
  return deepest
}
