import type { RecordedCacheReport } from '@palimpsest/prompt-caching'
import type { SummaryBill } from './summary-bill.ts'

/** Prompts of a session in money, as `replay --json` prints it. All amounts are US dollars. */
export interface BillReport {
  /** Whose prices these are. */
  readonly profile: {
    readonly provider: string
    readonly model: string
    /** The day of the prices, as YYYY-MM-DD. */
    readonly asOf: string
    readonly matching: string
    /** How long breakpoints live; `automatic` where the provider caches by itself. */
    readonly ttl: string
  }
  /** The prompts without a cache. */
  readonly uncached: number
  /** With breakpoints at the system prompt and the last three messages. */
  readonly systemAnd3: number
  /** With breakpoints that are remembered: what a session of this project pays. */
  readonly sticky: number
  /** What the same requests cost at least. */
  readonly bound: number
  /** `sticky` to `bound`. */
  readonly placementRatio: number
  /** Part of the tokens that `sticky` reads from the cache. */
  readonly cacheReadShare: number
  readonly summaries: SummaryBill
  /** Null when the recording does not say what the provider read and wrote. */
  readonly recorded: RecordedCacheReport | null
}
