import type { CacheTtl } from '@palimpsest/core'
import type { RequestLayout } from '../layout/request-layout.ts'

/** A beginning of a prompt that the provider holds. */
export interface CacheEntry {
  /** Hash of the prefix. */
  readonly hash: string
  /** Index of the block that the prefix ends with. */
  readonly block: number
  readonly tokens: number
  readonly ttl: CacheTtl
  /** Start of the request that wrote it, in milliseconds since the epoch: later requests can read it. */
  readonly writtenAt: number
  /** Start of the request that wrote or last read it: its lifetime counts from here. */
  readonly usedAt: number
}

/** A whole prompt, where the provider caches by itself: whatever it begins with can be read. */
export interface SeenPrompt {
  /** Hashes of its prefixes, one a block. */
  readonly hashes: readonly string[]
  readonly usedAt: number
}

/** One session's memory of the provider's cache. Plain data. */
export interface CacheState {
  /** The latest last; at most `MAX_ENTRIES`. */
  readonly entries: readonly CacheEntry[]
  /** For pricings that match by `prefix`: the latest prompts; at most `MAX_PROMPTS`. Empty for all others. */
  readonly prompts: readonly SeenPrompt[]
}

/** More than the four of a request times the requests that a rewind goes back. */
export const MAX_ENTRIES = 64
export const MAX_PROMPTS = 4

export const EMPTY_CACHE: CacheState = Object.freeze({ entries: [], prompts: [] })

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
}
