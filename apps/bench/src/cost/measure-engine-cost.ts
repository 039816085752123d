import type { CompactionTiming, Message } from '@palimpsest/core'
import type { CachePricing } from '@palimpsest/prompt-caching'
import { callsUsd } from './calls-usd.ts'
import type { CostArm } from './cost-arms.ts'
import type { Pacing } from './pacing.ts'
import { type CompactedRequest, type PlayedCost, playCost } from './play-cost.ts'

/** What one engine costs on one conversation in one window. Dollars are US dollars; means are over the compactions. */
export interface EngineCostRow {
  readonly arm: string
  /** In tokens. */
  readonly window: number
  readonly pacing: Pacing
  readonly compactAt: CompactionTiming
  readonly requests: number
  readonly compactions: CompactionMeans
  /** Requests that lost the tools or the system prompt without a compaction or a pause. */
  readonly lost: number
  readonly usd: {
    readonly sticky: number
    readonly systemAnd3: number
    readonly uncached: number
    readonly bound: number
    /** Summaries, if the model of the session writes them. */
    readonly summaries: number
    /** Its other calls: reading turns. */
    readonly rest: number
    /** Sticky prompts, summaries and other calls together, for 1,000 requests. */
    readonly per1000: number
  }
  readonly placementRatio: number
  /** Part of the tokens that sticky reads, 0 to 1. */
  readonly readShare: number
  readonly warnings: Readonly<Record<string, number>>
}

export interface CompactionMeans {
  readonly count: number
  /** Those after a pause that was longer than the cache lives: they cost nothing in cache. */
  readonly cold: number
  /** Tokens of the prompt behind a compaction, and what of it was not read. */
  readonly prompt: number
  readonly rewritten: number
  /** What of the prompt behind a compaction was read, 0 to 1. */
  readonly keptShare: number
  /** Tokens behind tools and system prompt that are as they were: what an engine leaves to be read. */
  readonly sameMessages: number
  /** Tokens of the summaries in the prompt. */
  readonly summaries: number
  /** What one costs in cache while it is warm: what writing again costs more than reading. */
  readonly usd: number
  /** All of them together as a part of what sticky costs, 0 to 1. */
  readonly billShare: number
}

export interface EngineCostInput {
  readonly arm: CostArm
  readonly messages: readonly Message[]
  readonly window: number
  readonly profile: CachePricing
  readonly pacing?: Pacing
  readonly compactAt?: CompactionTiming
  readonly seed: number
  readonly onRequest?: (done: number) => void
}

export async function measureEngineCost(input: EngineCostInput): Promise<EngineCostRow> {
  const { arm, window, profile, pacing = 'steady', compactAt = 'threshold' } = input
  const played = await playCost({ ...input, pacing, compactAt })
  const { requests, sticky, systemAnd3, uncached, bound, placementRatio, cacheReadShare } = played.bill
  const summaries = callsUsd(played.summaries, profile)
  const rest = callsUsd(played.rest, profile)
  return {
    arm: arm.name,
    window,
    pacing,
    compactAt,
    requests,
    compactions: compactionMeans(played, profile),
    lost: played.lost,
    usd: {
      sticky,
      systemAnd3,
      uncached,
      bound,
      summaries,
      rest,
      per1000: ((sticky + summaries + rest) / requests) * 1000,
    },
    placementRatio,
    readShare: cacheReadShare,
    warnings: played.warnings,
  }
}

/** What compactions did to the cache, in the mean. */
export function compactionMeans(
  { compacted, bill }: Pick<PlayedCost, 'compacted'> & { readonly bill: { readonly sticky: number } },
  { input, read, short }: Pick<CachePricing, 'input' | 'read' | 'short'>,
): CompactionMeans {
  const count = compacted.length
  const sum = (of: (request: CompactedRequest) => number) =>
    compacted.reduce((total, request) => total + of(request), 0)
  const mean = (of: (request: CompactedRequest) => number) => (count === 0 ? 0 : sum(of) / count)
  const prompt = mean((request) => request.prompt)
  const rewritten = mean((request) => request.prompt - request.read)
  const warm = compacted.filter(({ isWarm }) => isWarm)
  const lost = warm.reduce((total, request) => total + request.prompt - request.read, 0)
  const usd = (lost * (short.write - read) * input) / 1_000_000
  return {
    count,
    cold: count - warm.length,
    prompt,
    rewritten,
    keptShare: prompt === 0 ? 0 : 1 - rewritten / prompt,
    sameMessages: mean((request) => Math.max(0, request.same - request.head)),
    summaries: mean((request) => request.summaries),
    usd: warm.length === 0 ? 0 : usd / warm.length,
    billShare: bill.sticky === 0 ? 0 : usd / bill.sticky,
  }
}
