import type { RecordedCacheReport } from '@palimpsest/prompt-caching'
import type { SummaryBill } from './summary-bill.ts'

/** Prompts of a session in money, as `replay --json` prints it. */
export interface BillReport {
  /** Whose prices these are. */
  readonly profile: {
    readonly provider: string
    readonly model: string
    /** The day of the prices, as YYYY-MM-DD. */
    readonly asOf: string
    /** Where the prices stand, in the words of the price data. */
    readonly source: string
    /** The file of `--prices` that they come from; null when they are those of the package. */
    readonly file: string | null
    readonly matching: string
    /** How long breakpoints live; `automatic` where the provider caches by itself. */
    readonly ttl: string
  }
  /** The prompts without a cache, in US dollars. */
  readonly uncached: number
  /** With breakpoints at the system prompt and the last three messages, in US dollars. */
  readonly systemAnd3: number
  /**
   * With breakpoints that are remembered, in US dollars: what a session of this project pays. Where the provider caches
   * by itself there are no breakpoints, and this and `systemAnd3` are what it charges.
   */
  readonly sticky: number
  /** What the same requests cost at least, in US dollars. */
  readonly bound: number
  /** `sticky` to `bound`; 1 when both are 0. */
  readonly placementRatio: number
  /** Part of the tokens that `sticky` reads from the cache, 0 to 1. */
  readonly cacheReadShare: number
  readonly summaries: SummaryBill
  /** Null when the recording does not say what the provider read and wrote, or used another provider. */
  readonly recorded: RecordedCacheReport | null
  /** What to know about these figures: one sentence each. */
  readonly notes: readonly string[]
}
