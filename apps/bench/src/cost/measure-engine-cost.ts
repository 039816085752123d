import {
  type CompactionTiming,
  createContextSession,
  type Message,
  roughTokenCounter,
} from '@palimpsest/core'
import {
  type CachePricing,
  createBillMeter,
  createCachePlanner,
  createRequestClock,
  type PlanRequest,
} from '@palimpsest/prompt-caching'
import { type Engine, restOf, usageOf } from '../arms/engine-arm.ts'
import { requestsOf } from '../arms/play-arm.ts'
import { createPace, type Pacing } from './pacing.ts'
import { exampleTools } from './session-layouts.ts'
import { callsUsd, createSummaryWriter } from './summary-writer.ts'

/** The cost of one engine on one conversation in one window. Dollars are US dollars; means are over the compactions. */
export type EngineCostRow = Awaited<ReturnType<typeof measureEngineCost>>

export interface EngineCostInput {
  readonly arm: Engine
  readonly messages: readonly Message[]
  readonly window: number
  readonly profile: CachePricing
  readonly pacing: Pacing
  readonly compactAt: CompactionTiming
  readonly seed: number
  readonly onRequest?: (done: number) => void
}

export async function measureEngineCost(input: EngineCostInput) {
  const { arm, window, profile, pacing, compactAt } = input
  const played = await playCost(input)
  const { requests, sticky, systemAnd3, uncached, bound, placementRatio, cacheReadShare } = played.bill
  // Summaries, if the model of the session writes them, and its other calls: reading turns.
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

/** Effects of compactions on the cache, in the mean. */
export function compactionMeans(
  { compacted, bill }: Pick<PlayedCost, 'compacted'> & { readonly bill: { readonly sticky: number } },
  { input, read, short }: Pick<CachePricing, 'input' | 'read' | 'short'>,
) {
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
    /** Tokens of the prompt behind a compaction, and what of it was not read. */
    prompt,
    rewritten,
    keptShare: prompt === 0 ? 0 : 1 - rewritten / prompt,
    /** Tokens behind tools and system prompt that are as they were: what an engine leaves to be read. */
    sameMessages: mean((request) => Math.max(0, request.same - request.head)),
    summaries: mean((request) => request.summaries),
    /** Writing again minus reading: for a warm one, and for all of them as a share of the sticky bill. */
    usd: warm.length === 0 ? 0 : usd / warm.length,
    billShare: bill.sticky === 0 ? 0 : usd / bill.sticky,
  }
}

/** The request behind a compaction, and what the sticky plan paid for it. All in tokens. */
export interface CompactedRequest {
  /** The prompt before, which was cached. */
  readonly before: number
  readonly prompt: number
  readonly read: number
  readonly head: number
  /** Tokens at the beginning that the prompt before has too: those that could have been read. */
  readonly same: number
  readonly isWarm: boolean
  readonly summaries: number
}

export type PlayedCost = Awaited<ReturnType<typeof playCost>>

/** Prepares each request as a host does. Four characters count as a token: a tokenizer would take most of the time. */
export async function playCost(input: EngineCostInput) {
  const { arm, messages, window, profile, pacing, compactAt, seed, onRequest } = input
  const tokens = roughTokenCounter
  const clock = createRequestClock()
  const meter = createBillMeter(profile)
  const writer = createSummaryWriter(tokens, seed)
  const compacted: CompactedRequest[] = []
  const warnings: Record<string, number> = {}
  let isCompacted = false
  let lost = 0
  let before = 0
  let last: PlanRequest | undefined
  const cache = createCachePlanner({
    pricing: profile,
    tokens,
    clock,
    onRequest(request) {
      const { read } = meter.add(request)
      const sizes = sizesOf(request)
      const isWarm = last !== undefined && request.at - last.at <= profile.short.seconds * 1000
      if (isCompacted) compacted.push({ before, read, same: sameTokens(last, request), isWarm, ...sizes })
      else if (isWarm && read < sizes.head) lost++
      isCompacted = false
      before = sizes.prompt
      last = request
    },
  })
  const session = createContextSession({
    engine: arm.engine,
    options: arm.options,
    contextLength: window,
    tokens,
    model: writer,
    cache,
    compactAt,
    clock,
    sessionId: `cost-${seed}`,
  })
  session.subscribe((event) => {
    if (event.type === 'compaction') isCompacted ||= event.committed
    if (event.type === 'warning') warnings[event.warning.code] = (warnings[event.warning.code] ?? 0) + 1
  })
  const tools = exampleTools()
  const pace = createPace(pacing)
  let at = 0
  for (const [index, { length, answer }] of requestsOf(messages).entries()) {
    at += pace.next(messages[length - 1]?.role === 'user')
    clock.start(at)
    await session.prepare(messages.slice(0, length), { tools })
    await session.observe({ message: answer, usage: usageOf(before, tokens.countMessage(answer)) })
    await restOf(session)
    onRequest?.(index + 1)
  }
  await session.end()
  return { bill: meter.bill, compacted, lost, summaries: writer.summaries, rest: writer.rest, warnings }
}

function sizesOf({ layout: { blocks, ends, tokens } }: PlanRequest) {
  const first = blocks.findIndex(({ ref }) => ref?.at === 'message')
  const summaries = blocks.reduce((sum, { isSummary, tokens }) => sum + (isSummary ? tokens : 0), 0)
  return { prompt: tokens, head: ends[first - 1] ?? 0, summaries }
}

function sameTokens(before: PlanRequest | undefined, { layout: { hashes, ends } }: PlanRequest): number {
  const differs = hashes.findIndex((hash, index) => before?.layout.hashes[index] !== hash)
  return ends[(differs === -1 ? hashes.length : differs) - 1] ?? 0
}
