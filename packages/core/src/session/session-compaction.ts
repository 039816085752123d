import type { PromptEstimate } from '../budget/prompt-estimate.ts'
import { compactedResult, keptResult } from '../engine/compress-results.ts'
import type { CompressCall } from '../spec/v1/compress-call.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { Origin } from '../spec/v1/origin.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { forgetRedacted } from '../summarizer/redact-message.ts'
import { compactProjection } from './compact-projection.ts'
import { type TimedCompaction, timeCompaction } from './compaction-timing.ts'
import { compactionTrigger } from './compaction-trigger.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { EventHub } from './event-hub.ts'
import type { PromptBudget } from './prompt-budget.ts'
import type { RequestCache } from './request-cache.ts'
import type { CompactionTrigger } from './session-events.ts'
import type { SessionProjection } from './session-projection.ts'
import type { TranscriptLedger } from './transcript-ledger.ts'
import type { WarningLog } from './warning-log.ts'

const MAX_PASSES = 3
/** A further pass must have left less than this share of the tokens: 5 % less is no progress. */
const PROGRESS_SHARE = 0.95

/** A call of `compress`, what the session adds to it left out. */
export type CompactionCall = Omit<CompressCall, 'messages' | 'origins' | 'currentTokens'>

export interface SessionCompaction {
  /** Compacts once and commits what the laws allow. */
  compact(
    trigger: CompactionTrigger,
    call: CompactionCall,
  ): Promise<{ result: CompressResult; committed: boolean }>
  /** Compacts while a compaction is due and helps; else lets the engine shorten old tool results. */
  compactWhileDue(contextLength: number, call: CompactionCall): Promise<CompressResult[]>
  /** Compacts because the user asks for it, if the engine finds anything to do. */
  compactNow(call: CompactionCall): Promise<CompressResult>
}

interface SessionCompactionInput {
  readonly engine: ContextEngine
  readonly tokens: TokenCounter
  readonly guard: EngineGuard
  readonly events: EventHub
  readonly warnings: WarningLog
  readonly ledger: TranscriptLedger
  readonly projection: SessionProjection
  readonly budget: PromptBudget
  /** Given when compactions are to be done when they are cheapest. */
  readonly quote: RequestCache['quote'] | undefined
  readonly maxOutputTokens: number
}

/** The steps of a session that make its projection smaller. */
export function createSessionCompaction(input: SessionCompactionInput): SessionCompaction {
  const { engine, tokens, guard, projection, budget } = input
  const compact: SessionCompaction['compact'] = (trigger, call) => {
    const { messages, origins } = projection
    const currentTokens = budget.estimate(messages).tokens
    const propose = async () => engine.compress({ ...call, messages, origins, currentTokens })
    return commit(input, trigger, propose, call.signal)
  }
  return {
    compact,
    async compactWhileDue(contextLength, call) {
      const results: CompressResult[] = []
      for (let pass = 0; pass < MAX_PASSES; pass++) {
        const estimate = budget.estimate(projection.messages)
        const due = dueCompaction(input, contextLength, estimate, pass === 0)
        if ('deferred' in due) {
          input.events.emit({ type: 'deferred', quote: due.deferred })
          return results
        }
        if (due.trigger === undefined) break
        const { result, committed } = await compact(due.trigger, call)
        results.push(result)
        const left = budget.estimate(projection.messages).tokens
        if (!committed || left > estimate.tokens * PROGRESS_SHARE) break
      }
      return results.length === 0 ? prune(input, call) : results
    },
    async compactNow(call) {
      const { messages } = projection
      const hasContent = guard.call('hasContentToCompress', true, () => engine.hasContentToCompress(messages))
      if (!hasContent) return keptResult('unchanged', 'nothing-to-compact', messages, tokens)
      const { result } = await compact('manual', { ...call, force: true })
      return result
    },
  }
}

async function commit(
  { engine, tokens, guard, events, warnings, ledger, projection, budget }: SessionCompactionInput,
  trigger: CompactionTrigger,
  propose: () => Promise<CompressResult>,
  signal: AbortSignal | undefined,
) {
  const estimate = budget.estimate(projection.messages)
  const { messages: transcript } = ledger
  const { messages, origins } = projection
  const before = { engineName: engine.name, guard, transcript, projection: { messages, origins } }
  const compacted = await compactProjection({ ...before, tokens, propose, signal })
  const { result, violations } = compacted
  const committed = compacted.projection !== undefined
  if (violations.length > 0) events.emit({ type: 'violations', violations })
  if (compacted.projection !== undefined) {
    projection.commit(compacted.projection, transcript.length)
    await letGo(ledger, compacted.projection.origins, tokens)
    warnings.clear()
  }
  warnings.say(...result.warnings)
  events.emit({ type: 'compaction', trigger, result, estimate, committed })
  if (committed) {
    await guard.callAsync('onCompactionBoundary', undefined, () =>
      engine.onCompactionBoundary({ result, transcriptLength: transcript.length }),
    )
  }
  return { result, committed }
}

/** A message that left the projection for good is not looked at again, unless the host edits it. */
async function letGo(
  ledger: TranscriptLedger,
  origins: readonly Origin[],
  tokens: TokenCounter,
): Promise<void> {
  const shown = new Set(origins.flatMap((origin) => (origin.from === 'transcript' ? [origin.index] : [])))
  let end = ledger.messages.length
  while (shown.has(end - 1)) end--
  // A table of weak keys keeps the size that it had with all of them, unless they are taken out.
  await ledger.letGo(end, shown, (message) => {
    tokens.forget?.(message)
    forgetRedacted(message)
  })
}

async function prune(input: SessionCompactionInput, { signal }: CompactionCall): Promise<CompressResult[]> {
  const { engine, tokens, guard, projection } = input
  const { messages: before, origins } = projection
  const shorten = async (): Promise<CompressResult | undefined> => {
    const after = await engine.pruneToolResults(before, origins)
    return after === before
      ? undefined
      : compactedResult({ before, after, tokens, reason: 'tool-results-pruned' })
  }
  const pruned = await guard.callAsync('pruneToolResults', undefined, shorten, signal)
  if (pruned?.outcome !== 'compacted') return []
  const { result } = await commit(input, 'prune', async () => pruned, signal)
  return [result]
}

/** The compaction that is due before a request. Only the first one is moved to a cheaper time. */
function dueCompaction(
  { engine, tokens, guard, projection: { messages }, quote, maxOutputTokens }: SessionCompactionInput,
  contextLength: number,
  estimate: PromptEstimate,
  isFirst: boolean,
): TimedCompaction {
  const trigger = compactionTrigger({ engine, guard, projection: messages, estimate, contextLength })
  if (!isFirst || quote === undefined) return { trigger }
  return timeCompaction(
    { engine, tokens, quote },
    {
      trigger,
      projection: messages,
      promptTokens: estimate.tokens,
      limitTokens: contextLength - maxOutputTokens,
    },
  )
}
