import type { CacheTtl } from '@palimpsest/core'
import type { RequestLayout } from '../layout/request-layout.ts'

/** A breakpoint on a layout: the index of its block. */
export interface Marker {
  readonly block: number
  readonly ttl: CacheTtl
}

/** One request as the provider's cache sees it. */
export interface CacheRequest {
  readonly layout: RequestLayout
  /** Ascending by block. None where the provider caches by itself. */
  readonly markers: readonly Marker[]
  /** Start, in milliseconds since the epoch. */
  readonly at: number
  /** From the start to the beginning of the answer, in milliseconds. Default 0. */
  readonly firstTokenMs?: number
}
