import type { CacheTtl } from '@palimpsest/core'
import type { RequestLayout } from '../layout/request-layout.ts'

/** A prefix of a prompt in the provider's cache. */
export interface CacheEntry {
  readonly hash: string
  /** Index of the last block of the prefix. */
  readonly block: number
  readonly tokens: number
  readonly ttl: CacheTtl
  /** Start of the request that wrote it, in milliseconds since the epoch; later requests can read it. */
  readonly writtenAt: number
  /** Start of the request that wrote or last read it, from which its lifetime counts. */
  readonly usedAt: number
}

/** A whole prompt, for a provider that caches automatically: any common prefix can be read. */
export interface SeenPrompt {
  /** Hashes of its prefixes, one per block. */
  readonly hashes: readonly string[]
  readonly usedAt: number
}

/** The assumed state of the provider's cache for one session. Plain data. */
export interface CacheState {
  /** The entries, latest last; at most `MAX_ENTRIES`. */
  readonly entries: readonly CacheEntry[]
  /** The latest prompts, for pricings that match by `prefix`; at most `MAX_PROMPTS`. Empty for all others. */
  readonly prompts: readonly SeenPrompt[]
}

/** More than the four per request times the number of requests that a rewind goes back. */
export const MAX_ENTRIES = 64
export const MAX_PROMPTS = 4

export const EMPTY_CACHE: CacheState = Object.freeze({ entries: [], prompts: [] })

/** A breakpoint on a layout, by the index of its block. */
export interface Marker {
  readonly block: number
  readonly ttl: CacheTtl
}

/** A request from the view of the provider's cache. */
export interface CacheRequest {
  readonly layout: RequestLayout
  /** Ascending by block. Empty if the provider caches automatically. */
  readonly markers: readonly Marker[]
  /** Start, in milliseconds since the epoch. */
  readonly at: number
}
