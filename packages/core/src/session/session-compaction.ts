import { countMessages } from '../budget/count-messages.ts'
import { needsHygiene } from '../budget/hygiene.ts'
import type { PromptEstimate } from '../budget/prompt-estimate.ts'
import { compactedResult, keptResult } from '../engine/compress-results.ts'
import type { CompressCall } from '../spec/v1/compress-call.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { Origin } from '../spec/v1/origin.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { compactProjection } from './compact-projection.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { EventHub } from './event-hub.ts'
import type { PromptBudget } from './prompt-budget.ts'
import type { CompactionTrigger } from './session-events.ts'
import type { CommitReason, SessionProjection } from './session-projection.ts'
import type { LastCompaction } from './session-types.ts'
import type { TranscriptLedger } from './transcript-ledger.ts'
import type { WarningLog } from './warning-log.ts'

const MAX_PASSES = 3
/** A further pass must have left less than this share of the tokens: 5 % less is no progress. */
const PROGRESS_SHARE = 0.95
/** From this share of the threshold on, a compaction comes early when the provider has dropped the prompt. */
const IDLE_SHARE = 0.7
/** After an undo nothing is compacted until so much of the window was said, or hygiene asks for it. */
const HOLD_SHARE = 0.1

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
  /** The last compaction, as long as it can be undone. */
  last(): LastCompaction | undefined
  /** Undoes it, and compacts no more of its own accord for a while. */
  undo(): Promise<LastCompaction | undefined>
  clear(): void
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
  /** Whether the provider has dropped the prompt, so that a compaction costs no cache reads. */
  readonly isIdle: () => boolean
}

/** The steps of a session that make its projection smaller. */
export function createSessionCompaction(input: SessionCompactionInput): SessionCompaction {
  const { engine, tokens, guard, events, warnings, ledger, projection, budget } = input
  /** Messages that an undo brought to; undefined when none holds compactions back. */
  let held: number | undefined

  const compact = async (trigger: CompactionTrigger, call: CompactionCall, isFurther = false) => {
    const { messages, origins } = projection
    const currentTokens = budget.estimate(messages).tokens
    const propose = async () => engine.compress({ ...call, messages, origins, currentTokens })
    const done = await commit(input, { trigger, isFurther }, propose, call.signal)
    if (done.committed) held = undefined
    return done
  }
  const isHeld = (contextLength: number): boolean => {
    if (held === undefined) return false
    const { messages } = projection
    const promptTokens = budget.estimate(messages).tokens
    const isFull = needsHygiene({ contextLength, messageCount: messages.length, promptTokens })
    return !isFull && countMessages(tokens, messages.slice(held)) < contextLength * HOLD_SHARE
  }
  const last = (): LastCompaction | undefined => {
    const left = projection.left(ledger.messages)
    return left && { left }
  }

  return {
    compact,
    async compactWhileDue(contextLength, call) {
      if (isHeld(contextLength)) return []
      held = undefined
      const results: CompressResult[] = []
      for (let pass = 0; pass < MAX_PASSES; pass++) {
        const estimate = budget.estimate(projection.messages)
        const trigger = dueTrigger(input, contextLength, estimate, pass === 0)
        if (trigger === undefined) break
        const { result, committed } = await compact(trigger, call, pass > 0)
        results.push(result)
        const left = budget.estimate(projection.messages).tokens
        if (!committed || left > estimate.tokens * PROGRESS_SHARE) break
      }
      return results.length === 0 ? prune(input, call) : results
    },
    async compactNow(call) {
      held = undefined
      const { messages } = projection
      const hasContent = guard.call('hasContentToCompress', true, () => engine.hasContentToCompress(messages))
      if (!hasContent) return keptResult('unchanged', 'nothing-to-compact', messages, tokens)
      const { result } = await compact('manual', { ...call, force: true })
      return result
    },
    last,
    async undo() {
      const undone = last()
      if (undone === undefined) return undefined
      const { messages: transcript } = ledger
      await projection.undo(transcript)
      held = projection.messages.length
      ledger.regain(undone.left[0]?.index ?? transcript.length)
      warnings.clear()
      events.emit({ type: 'undone', ...undone })
      return undone
    },
    clear() {
      held = undefined
    },
  }
}

async function commit(
  { engine, tokens, guard, events, warnings, ledger, projection, budget }: SessionCompactionInput,
  why: CommitReason,
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
    projection.commit(compacted.projection, transcript.length, why)
    await letGo(ledger, compacted.projection.origins, tokens)
    projection.letGo(transcript)
    warnings.clear()
  }
  warnings.say(...result.warnings)
  events.emit({ type: 'compaction', trigger: why.trigger, result, estimate, committed })
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
  await ledger.letGo(end, shown, (message) => tokens.forget?.(message))
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
  const { result } = await commit(input, { trigger: 'prune', isFurther: true }, async () => pruned, signal)
  return [result]
}

/** Why a compaction is due before a request; undefined when none is. */
function dueTrigger(
  { engine, guard, projection: { messages }, isIdle }: SessionCompactionInput,
  contextLength: number,
  { tokens: promptTokens }: PromptEstimate,
  isFirst: boolean,
): CompactionTrigger | undefined {
  if (needsHygiene({ contextLength, messageCount: messages.length, promptTokens })) return 'hygiene'
  // Compared with true: an engine that answers with a promise by mistake has not said yes.
  const isOver = (size: number) =>
    guard.call('shouldCompress', false, () => engine.shouldCompress({ promptTokens: size })) === true
  if (isOver(promptTokens)) return 'threshold'
  const preflight = () => engine.shouldCompressPreflight(messages)
  if (guard.call('shouldCompressPreflight', false, preflight) === true) return 'preflight'
  const threshold = guard.call('thresholdTokens', contextLength, () => engine.thresholdTokens)
  const isNear = isFirst && promptTokens >= IDLE_SHARE * threshold
  // An engine that would not compact at its threshold never compacts by itself.
  return isNear && isIdle() && isOver(threshold) ? 'idle' : undefined
}
