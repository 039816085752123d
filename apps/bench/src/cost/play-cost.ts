import {
  type CompactionTiming,
  createContextSession,
  type Message,
  roughTokenCounter,
  type TokenCounter,
} from '@palimpsest/core'
import {
  type CachePricing,
  createBillMeter,
  createCachePlanner,
  createRequestClock,
  type PlanRequest,
  type SessionBill,
} from '@palimpsest/prompt-caching'
import type { CostArm } from './cost-arms.ts'
import { createPace, type Pacing } from './pacing.ts'
import { exampleTools } from './session-layouts.ts'
import { createSummaryWriter, type ModelUse } from './summary-writer.ts'

export interface PlayCostInput {
  readonly arm: CostArm
  readonly messages: readonly Message[]
  /** In tokens. */
  readonly window: number
  /** Whose prices the prompts have. */
  readonly profile: CachePricing
  readonly pacing: Pacing
  readonly compactAt: CompactionTiming
  readonly seed: number
  readonly onRequest?: (done: number) => void
}

/** The request behind a compaction, and what the sticky plan paid for it. All in tokens. */
export interface CompactedRequest {
  /** The prompt before, which was cached. */
  readonly before: number
  readonly prompt: number
  readonly read: number
  /** Tools and system prompt. */
  readonly head: number
  /** What the prompt has in common with the one before, from the beginning: what could have been read. */
  readonly same: number
  /** Whether the cache still held the prompt before. */
  readonly isWarm: boolean
  /** What the summaries in it take. */
  readonly summaries: number
}

export interface PlayedCost {
  readonly bill: SessionBill
  readonly compacted: readonly CompactedRequest[]
  /** Requests behind no compaction and no pause that did not read all of the tools and the system prompt. */
  readonly lost: number
  readonly summaries: ModelUse
  /** Other calls of the model: reading turns. */
  readonly rest: ModelUse
  readonly warnings: Readonly<Record<string, number>>
}

/**
 * A request before each of the assistant's messages, as a host makes it, through a session that plans breakpoints. Four
 * characters count as a token: a tokenizer would be most of the time, and ratios do not depend on it.
 */
export async function playCost(input: PlayCostInput): Promise<PlayedCost> {
  const { arm, messages, window, profile, pacing, compactAt, seed, onRequest } = input
  const tokens: TokenCounter = roughTokenCounter
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
  let requests = 0
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    at += pace.next(messages[index - 1]?.role === 'user')
    clock.start(at)
    await session.prepare(messages.slice(0, index), { tools })
    await session.observe({ message, usage: usageOf(before, tokens.countMessage(message)) })
    onRequest?.(++requests)
  }
  await session.end()
  return { bill: meter.bill, compacted, lost, summaries: writer.summaries, rest: writer.rest, warnings }
}

function sizesOf({ layout: { blocks, ends, tokens } }: PlanRequest) {
  const first = blocks.findIndex(({ ref }) => ref?.at === 'message')
  const summaries = blocks.reduce((sum, { isSummary, tokens }) => sum + (isSummary ? tokens : 0), 0)
  return { prompt: tokens, head: ends[first - 1] ?? 0, summaries }
}

/** Tokens that two requests begin with. */
function sameTokens(before: PlanRequest | undefined, { layout: { hashes, ends } }: PlanRequest): number {
  const differs = hashes.findIndex((hash, index) => before?.layout.hashes[index] !== hash)
  return ends[(differs === -1 ? hashes.length : differs) - 1] ?? 0
}

function usageOf(prompt: number, completion: number) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
