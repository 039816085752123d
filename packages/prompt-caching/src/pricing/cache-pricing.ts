import type { CacheTtl } from '@palimpsest/core'

/**
 * The way in which a provider finds its cache entries.
 * - `collapsed`: each marker looks at `lookback` positions, itself first; a run of tool calls, or of results, is one.
 * - `per-block`: the same, every block is one position.
 * - `exact`: a marker finds only what ends where it stands.
 * - `prefix`: no markers; the longest beginning that was sent before.
 */
export type CacheMatching = 'collapsed' | 'per-block' | 'exact' | 'prefix'

/** One lifetime that a breakpoint may have. */
export interface CacheLifetime {
  readonly ttl: CacheTtl
  readonly seconds: number
  /** Price of writing, as a multiple of an uncached input token. */
  readonly write: number
}

/** From `above` tokens of prompt on, the whole request costs `factor` times as much. */
export interface PriceTier {
  readonly above: number
  readonly factor: number
}

/**
 * The rules and prices of one model's cache on one route. Made by `findPricing` from dated data. It cannot express
 * prices by the hour of the day (DeepSeek's peak hours cost twice as much), and a factor of its own for output in a
 * tier.
 */
export interface CachePricing {
  readonly provider: string
  readonly model: string
  /** The day of the prices, as YYYY-MM-DD, and where they stand. */
  readonly asOf: string
  readonly source: string
  readonly matching: CacheMatching
  /** US dollars for a million tokens of uncached input. */
  readonly input: number
  /** US dollars for a million tokens of output. */
  readonly output: number
  /** Price of reading from the cache, as a multiple of `input`. */
  readonly read: number
  /** The short lifetime. For `prefix`: what may be assumed. */
  readonly short: CacheLifetime
  /** The long lifetime, where there is one. */
  readonly long?: CacheLifetime
  /** Ascending. Usually empty. */
  readonly tiers: readonly PriceTier[]
  /** Prompts shorter than this are not cached, in tokens. */
  readonly minimumTokens: number
  /** 4 at Anthropic, 0 for `prefix`. */
  readonly maxBreakpoints: number
  /** Positions that a marker looks at, itself included. 1 for `exact`. */
  readonly lookback: number
}
