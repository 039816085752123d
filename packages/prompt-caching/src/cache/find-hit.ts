import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import type { CacheEntry, Marker } from './cache-state.ts'

/** The entry that ends where a block of this layout ends and holds the same prefix. */
export function isPrefixOf({ hash, block }: CacheEntry, { hashes }: RequestLayout): boolean {
  return hashes[block] === hash
}

/**
 * The longest entry that one of the markers finds. A marker looks at as many positions as the pricing says, itself
 * first: an entry 19 positions before it is found by 20, one 20 before it is not.
 */
export function findHit(
  layout: RequestLayout,
  markers: readonly Marker[],
  live: readonly CacheEntry[],
  pricing: CachePricing,
): CacheEntry | undefined {
  let longest: CacheEntry | undefined
  for (const entry of live) {
    if (entry.block <= (longest?.block ?? -1) || !isPrefixOf(entry, layout)) continue
    if (markers.some(({ block }) => isWithinLookback(layout, entry.block, block, pricing))) longest = entry
  }
  return longest
}

/** Whether a marker at block `marker` looks as far back as block `entry`. */
function isWithinLookback(
  layout: RequestLayout,
  entry: number,
  marker: number,
  { matching, lookback }: Pick<CachePricing, 'matching' | 'lookback'>,
): boolean {
  if (entry > marker) return false
  if (entry === marker) return true
  if (matching === 'collapsed') return (layout.runs[marker] ?? 0) - (layout.runs[entry] ?? 0) < lookback
  return matching === 'per-block' && blocksBetween(layout, entry, marker, lookback) < lookback
}

/** Blocks from one to another without settings, which are no blocks to a provider; counted up to `enough`. */
function blocksBetween({ blocks }: RequestLayout, from: number, to: number, enough: number): number {
  let count = 0
  for (let index = to; index > from && count < enough; index--) {
    if (blocks[index]?.kind !== 'setting') count++
  }
  return count
}

/** The entry that ends last; of several, the first. */
export function deepestOf<Entry extends { readonly block: number }>(
  entries: readonly Entry[],
): Entry | undefined {
  let deepest: Entry | undefined
  for (const entry of entries) {
    if (deepest === undefined || entry.block > deepest.block) deepest = entry
  }
  return deepest
}
