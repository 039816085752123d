import type { SessionBill } from '@palimpsest/prompt-caching'
import type { SummaryBill } from './summary-bill.ts'

/** Prompts of a session in money, as `replay --json` prints it. All amounts are US dollars. */
export interface BillReport extends Omit<SessionBill, 'requests' | 'tokens'> {
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
    /** The lifetime of breakpoints; `automatic` where the provider caches by itself. */
    readonly ttl: string
  }
  readonly summaries: SummaryBill
  readonly notes: readonly string[]
}
