import type { CompletionModel, CompressResult, TokenCounter } from '@palimpsest/core'
import {
  type CachePricing,
  type CacheSetting,
  createBillMeter,
  createCachePlanner,
  createRequestClock,
  type RecordedCacheReport,
  type SessionCachePlanner,
} from '@palimpsest/prompt-caching'
import { billNotes, lifetimeName } from './bill-notes.ts'
import type { BillPrices } from './bill-profile.ts'
import type { BillReport } from './bill-report.ts'
import { createSummaryMeter } from './summary-bill.ts'

export interface ReplayBillInput {
  readonly prices: BillPrices
  /** `prompt_caching.cache_ttl`. With `off` the session is planned without breakpoints. */
  readonly setting: CacheSetting
  /** `prompt_caching.strategy`. Default `sticky`. */
  readonly strategy?: 'sticky' | 'system_and_3'
  readonly tokens: TokenCounter
  readonly model: CompletionModel | undefined
  /** The prices of who writes summaries; undefined when they are not known. */
  readonly known: (model: string) => CachePricing | undefined
}

/** The bill of a replay: a planner for the session, and what its requests cost. */
export interface ReplayBill {
  readonly planner: SessionCachePlanner
  /** The summariser, with its calls counted. */
  readonly model: CompletionModel | undefined
  /** Whether what the recording says of its cache can be compared with these prices. */
  readonly isRecorded: boolean
  /** The next request starts, in milliseconds since the epoch; undefined when the recording does not say. */
  start(recordedAt: number | undefined): void
  /** A compaction was committed. */
  compacted(result: CompressResult): void
  report(recorded: RecordedCacheReport | null): BillReport
}

export function createReplayBill(input: ReplayBillInput): ReplayBill {
  const { prices, setting, strategy: chosen = 'sticky', tokens, model, known } = input
  const { profile, file, note, isRecorded } = prices
  const clock = createRequestClock()
  const ttl = setting === 'off' ? '5m' : setting
  const meter = createBillMeter(profile, { ttl })
  const summaries = createSummaryMeter({ tokens, profile, model, known })
  const strategy = setting === 'off' ? 'off' : chosen
  const planner = createCachePlanner({ pricing: profile, tokens, clock, ttl, strategy, onRequest: meter.add })
  return {
    planner,
    model: summaries.model,
    isRecorded,
    start: clock.start,
    compacted: summaries.add,
    report(recorded) {
      const { bill } = meter
      const { provider, model, asOf, source, matching } = profile
      return {
        profile: { provider, model, asOf, source, file, matching, ttl: lifetimeName(profile, setting) },
        uncached: bill.uncached,
        systemAnd3: bill.systemAnd3,
        sticky: bill.sticky,
        bound: bill.bound,
        placementRatio: bill.placementRatio,
        cacheReadShare: bill.cacheReadShare,
        summaries: summaries.bill,
        recorded,
        notes: [...(note === null ? [] : [note]), ...billNotes(profile, { setting, strategy: chosen }, bill)],
      }
    },
  }
}
