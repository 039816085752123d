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
  /** Start of the request that wrote or last read it, in milliseconds since the epoch: its time counts from here. */
  readonly usedAt: number
  /** Readable by requests that start after this, in milliseconds since the epoch. */
  readonly readableFrom: number
}

/** A whole prompt, where the provider caches by itself: whatever it begins with can be read. */
export interface SeenPrompt {
  /** Hashes of its prefixes, one a block. */
  readonly hashes: readonly string[]
  readonly usedAt: number
  readonly readableFrom: number
}

/** The pauses of one session. Plain data. */
export interface SessionPauses {
  /** Requests that were sent. */
  readonly requests: number
  /** Pauses that outlasted the short lifetime, in milliseconds, the latest last; at most `MAX_PAUSES`. */
  readonly longPauses: readonly number[]
  /** Requests that did not begin with what was marked last in the one before: compactions, rewinds. */
  readonly changes: number
}

/** One session's memory of the provider's cache. Plain data. */
export interface CacheState extends SessionPauses {
  /** The latest last; at most `MAX_ENTRIES`. */
  readonly entries: readonly CacheEntry[]
  /** For pricings that match by `prefix`: the latest prompts; at most `MAX_PROMPTS`. Empty for all others. */
  readonly prompts: readonly SeenPrompt[]
  /** Start of the last request, in milliseconds since the epoch. Null before the first. */
  readonly lastStart: number | null
  /** Times between the starts of requests, in milliseconds, the latest last; at most `MAX_PAUSES`. */
  readonly pauses: readonly number[]
  /** Requests in a row that read nothing of what the one before them had written, although it was held. */
  readonly unread: number
}

/** More than the four of a request times the requests that a rewind goes back. */
export const MAX_ENTRIES = 64
export const MAX_PROMPTS = 4
export const MAX_PAUSES = 50

export const EMPTY_CACHE: CacheState = Object.freeze({
  entries: [],
  prompts: [],
  lastStart: null,
  pauses: [],
  requests: 0,
  longPauses: [],
  changes: 0,
  unread: 0,
})

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
