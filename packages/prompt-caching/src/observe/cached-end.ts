import type { CacheTtl } from '@palimpsest/core'
import type { CacheState } from '../cache/cache-state.ts'
import { isHeld } from '../cache/entry-life.ts'
import { isPrefixOf } from '../cache/find-hit.ts'
import { commonBlocks } from '../cache/serve-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** A beginning of a prompt that the provider was told to keep. */
export interface CachedEnd {
  readonly block: number
  /** In the tokens of our counter. */
  readonly tokens: number
  readonly ttl: CacheTtl
  readonly usedAt: number
  /** Whether it has not lapsed. */
  readonly isHeld: boolean
}

/**
 * The cached beginnings of a prompt when a request started, lapsed or not; never those that started beside it. Only
 * what is long enough to be found.
 */
export function cachedEnds(
  layout: RequestLayout,
  state: CacheState,
  at: number,
  pricing: CachePricing,
): readonly CachedEnd[] {
  const entries = state.entries.filter((entry) => isPrefixOf(entry, layout))
  const prompts = state.prompts.map(({ hashes, ...prompt }) => {
    const block = commonBlocks(hashes, layout.hashes) - 1
    return { ...prompt, block, ttl: pricing.short.ttl }
  })
  return [...entries, ...prompts].flatMap(({ block, ttl, usedAt, readableFrom }) => {
    const tokens = layout.ends[block] ?? 0
    if (readableFrom >= at || tokens < Math.max(1, pricing.minimumTokens)) return []
    return [{ block, tokens, ttl, usedAt, isHeld: isHeld({ ttl, usedAt }, at, pricing) }]
  })
}
