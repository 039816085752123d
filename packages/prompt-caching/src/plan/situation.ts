import type { CacheTtl } from '@palimpsest/core'
import type { CacheEntry, CacheState } from '../cache/cache-state.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** A breakpoint before it is rendered: the block that it ends, and what it is for. */
export interface Placement {
  readonly block: number
  readonly ttl: CacheTtl
  readonly reason: string
}

export interface Situation {
  readonly layout: RequestLayout
  readonly at: number
  readonly followUp: boolean
  readonly state: CacheState
  /** The entries of the state that a request can read if it starts now, and that it begins with. */
  readonly held: readonly CacheEntry[]
  /** The longest of them. */
  readonly deepest: CacheEntry | undefined
  readonly pricing: CachePricing
}
