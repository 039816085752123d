import type { CompletionModel, CompressResult, TokenCounter } from '@palimpsest/core'
import {
  type CacheProfile,
  createBillMeter,
  createCachePlanner,
  createRequestClock,
  type PlanOptions,
  type RecordedCacheReport,
  type SessionCachePlanner,
} from '@palimpsest/prompt-caching'
import type { BillReport } from './bill-report.ts'
import { createSummaryMeter } from './summary-bill.ts'

export interface ReplayBillInput {
  readonly profile: CacheProfile
  readonly ttl: NonNullable<PlanOptions['ttl']>
  readonly tokens: TokenCounter
  /** Who writes summaries; undefined without a model. */
  readonly model: CompletionModel | undefined
}

/** The bill of a replay: a planner for the session, and what its requests cost. */
export interface ReplayBill {
  readonly planner: SessionCachePlanner
  /** The summariser, with its calls counted. */
  readonly model: CompletionModel | undefined
  /** The next request starts, in milliseconds since the epoch; undefined when the recording does not say. */
  start(recordedAt: number | undefined): void
  /** A compaction was committed. */
  compacted(result: CompressResult): void
  report(recorded: RecordedCacheReport | null): BillReport
}

export function createReplayBill({ profile, ttl, tokens, model }: ReplayBillInput): ReplayBill {
  const clock = createRequestClock()
  const meter = createBillMeter(profile, { ttl })
  const summaries = createSummaryMeter(tokens, profile, model)
  const planner = createCachePlanner({ profile, tokens, clock, ttl, onRequest: meter.add })
  return {
    planner,
    model: summaries.model,
    start: clock.start,
    compacted: summaries.add,
    report(recorded) {
      const { uncached, systemAnd3, sticky, bound, placementRatio, cacheReadShare } = meter.bill
      const { provider, model, asOf, matching } = profile
      return {
        profile: { provider, model, asOf, matching, ttl: lifetimeName(profile, ttl) },
        uncached,
        systemAnd3,
        sticky,
        bound,
        placementRatio,
        cacheReadShare,
        summaries: summaries.bill,
        recorded,
      }
    },
  }
}

/** How long breakpoints live, as the route names it. */
function lifetimeName({ matching, short, long = short }: CacheProfile, ttl: ReplayBillInput['ttl']): string {
  if (matching === 'prefix') return 'automatic'
  if (ttl === 'auto') return 'auto'
  return ttl === '1h' ? long.ttl : short.ttl
}
