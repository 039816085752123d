import type { CacheTtl } from '@palimpsest/core'

/**
 * The way in which a provider finds cache entries.
 * - `collapsed`: each marker checks `lookback` positions, itself first; a run of tool calls, or of results, is one
 * position.
 * - `per-block`: the same, with every block as one position.
 * - `exact`: a marker finds only entries that end at it.
 * - `prefix`: no markers; the longest prefix that was sent before is found.
 */
export type CacheMatching = 'collapsed' | 'per-block' | 'exact' | 'prefix'

/** A lifetime of breakpoints. */
export interface CacheLifetime {
  readonly ttl: CacheTtl
  readonly seconds: number
  /** Price of writing, as a multiple of an uncached input token. */
  readonly write: number
}

/** The whole request costs `factor` times as much from `above` prompt tokens on. */
export interface PriceTier {
  readonly above: number
  readonly factor: number
}

/**
 * The cache rules and prices of a model on a route, made by `findPricing` from dated data. It cannot express prices by
 * the time of day (DeepSeek's peak hours cost twice as much), or a separate output factor in a tier.
 */
export interface CachePricing {
  readonly provider: string
  readonly model: string
  /** The date of the prices, as YYYY-MM-DD, and their source. */
  readonly asOf: string
  readonly source: string
  readonly matching: CacheMatching
  /** US dollars per million tokens of uncached input. */
  readonly input: number
  /** US dollars per million tokens of output. */
  readonly output: number
  /** Price of reading from the cache, as a multiple of `input`. */
  readonly read: number
  /** The short lifetime; for `prefix`, a safe assumption. */
  readonly short: CacheLifetime
  readonly long?: CacheLifetime
  /** Ascending. Usually empty. */
  readonly tiers: readonly PriceTier[]
  /** Prompts shorter than this are not cached, in tokens. */
  readonly minimumTokens: number
  /** 4 at Anthropic, 0 for `prefix`. */
  readonly maxBreakpoints: number
  /** Positions that a marker checks, itself included. 1 for `exact`. */
  readonly lookback: number
}
