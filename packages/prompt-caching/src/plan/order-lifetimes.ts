import type { CacheTtl } from '@palimpsest/core'
import { lifetimeOf } from '../cache/entry-life.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/**
 * Breakpoints in the order of the prompt, one a block; of several on a block the first keeps its place and the longest
 * lifetime wins. Providers refuse a long lifetime behind a short one, so what stands before a long one is raised to
 * it. That is free where the long one is held already.
 */
export function orderLifetimes<Marked extends { readonly block: number; readonly ttl: CacheTtl }>(
  marked: readonly Marked[],
  pricing: CachePricing,
): readonly Marked[] {
  const ordered: Marked[] = []
  const descending = [...marked].sort((a, b) => b.block - a.block)
  let longest: CacheTtl | undefined
  for (const one of descending) {
    if (longest === undefined || seconds(one.ttl, pricing) > seconds(longest, pricing)) longest = one.ttl
    const kept = ordered.at(-1)?.block === one.block ? (ordered.pop() ?? one) : one
    ordered.push(kept.ttl === longest ? kept : { ...kept, ttl: longest })
  }
  return ordered.reverse()
}

function seconds(ttl: CacheTtl, pricing: CachePricing): number {
  return lifetimeOf(ttl, pricing).seconds
}
