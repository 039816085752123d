import { countMessages } from '../budget/count-messages.ts'
import { isInstruction } from '../messages/is-instruction.ts'
import type { CompactionForecast, CompactionQuote } from '../spec/v1/cache-planner.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { CompactionTrigger } from './session-events.ts'

/** A compaction after a pause is worth its loss of detail only when the threshold is near: from this share of it on. */
const EARLY_SHARE = 0.7
/** Nothing waits from this share of what a prompt may have on: the next turn may not fit. */
const LIMIT_SHARE = 0.85
/**
 * The tail that the engines of this project keep verbatim, as a share of their threshold, and the length of a
 * summary.
 */
const TAIL_SHARE = 0.2
const SUMMARY_SHARE = 0.05

interface TimingInput {
  readonly engine: ContextEngine
  readonly tokens: TokenCounter
  /** Undefined when the price is not known. */
  readonly quote: (forecast: CompactionForecast) => CompactionQuote | undefined
}

interface TimingCall {
  readonly trigger: CompactionTrigger | undefined
  readonly projection: readonly Message[]
  readonly promptTokens: number
  /** The largest prompt, in tokens: the window without what is reserved for the answer. */
  readonly limitTokens: number
}

export type TimedCompaction =
  | { readonly trigger: CompactionTrigger | undefined }
  | { readonly deferred: CompactionQuote }

/**
 * Moves a compaction to the time when it costs least: a threshold waits while the provider holds the prompt and a
 * pause would make it pay; after a pause it comes before the threshold is reached. Near the window's limit none waits.
 */
export function timeCompaction(
  { engine, tokens, quote: ask }: TimingInput,
  call: TimingCall,
): TimedCompaction {
  const { trigger, projection, promptTokens, limitTokens } = call
  const isDue = trigger === 'threshold' || trigger === 'preflight'
  const isNear =
    trigger === undefined &&
    promptTokens >= EARLY_SHARE * engine.thresholdTokens &&
    // An engine that would not compact there has no compaction that could come earlier.
    engine.shouldCompress({ promptTokens: engine.thresholdTokens })
  if (!isDue && !isNear) return { trigger }
  if (isDue && promptTokens >= LIMIT_SHARE * limitTokens) return { trigger }
  const quote = ask(forecast(projection, promptTokens, engine, tokens))
  if (quote === undefined) return { trigger }
  if (isDue) return quote.isWarm && quote.verdict === 'at-next-pause' ? { deferred: quote } : { trigger }
  return { trigger: !quote.isWarm && quote.verdict === 'now' ? 'pause' : undefined }
}

/** A guess at the result of a compaction. Engines differ; the order of magnitude decides. */
function forecast(
  projection: readonly Message[],
  promptTokens: number,
  { thresholdTokens }: ContextEngine,
  tokens: TokenCounter,
): CompactionForecast {
  const [first] = projection
  const messageTokens = countMessages(tokens, projection)
  const systemTokens = first !== undefined && isInstruction(first) ? tokens.countMessage(first) : 0
  const keptTokens = Math.max(0, promptTokens - messageTokens) + systemTokens
  const rest = Math.max(0, promptTokens - keptTokens)
  const tailTokens = Math.min(rest, Math.round(TAIL_SHARE * thresholdTokens))
  const replacedTokens = rest - tailTokens
  const summaryTokens = Math.min(replacedTokens, Math.round(SUMMARY_SHARE * thresholdTokens))
  return { keptTokens, replacedTokens, summaryTokens, tailTokens }
}
