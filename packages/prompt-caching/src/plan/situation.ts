import type { CacheTtl } from '@palimpsest/core'
import type { CacheEntry, CacheState } from '../cache/cache-state.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** A breakpoint before it is rendered: the block that it ends, and what it is for. */
export interface Placement {
  /** Index in the layout. */
  readonly block: number
  readonly ttl: CacheTtl
  /** Kebab-case. */
  readonly reason: string
}

/** What a strategy looks at. */
export interface Situation {
  readonly layout: RequestLayout
  readonly at: number
  readonly followUp: boolean
  readonly state: CacheState
  /** What of the state a request that starts now can read and begins with. */
  readonly held: readonly CacheEntry[]
  /** The longest of them. */
  readonly deepest: CacheEntry | undefined
  readonly pricing: CachePricing
}
