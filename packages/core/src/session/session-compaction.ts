import { countMessages } from '../budget/count-messages.ts'
import { needsHygiene } from '../budget/threshold.ts'
import { compactedResult, keptResult } from '../engine/compress-results.ts'
import { errorText } from '../errors/errors.ts'
import { checkCompression } from '../laws/check-compression.ts'
import { checkProjection } from '../laws/check-projection.ts'
import type { CompressCall } from '../spec/v1/compress-call.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { abortable } from './abortable.ts'
import { originsOf, type TracedMessages } from './origins.ts'
import type { PromptBudget, PromptEstimate } from './prompt-budget.ts'
import { readCompressResult } from './read-compress-result.ts'
import type { CompactionTrigger } from './session-events.ts'
import type { CommitReason, SessionProjection } from './session-projection.ts'
import type { EngineGuard, EventHub, WarningLog } from './session-reports.ts'
import type { LastCompaction } from './session-types.ts'
import type { TranscriptLedger } from './transcript-ledger.ts'

const MAX_PASSES = 3
/** A further pass must have left less than this share of the tokens: 5 % less is no progress. */
const PROGRESS_SHARE = 0.95
/** From this share of the threshold on, a compaction comes early when the provider has dropped the prompt. */
const IDLE_SHARE = 0.7
/** After an undo nothing is compacted until so much of the window was said, or hygiene asks for it. */
const HOLD_SHARE = 0.1

/** A call of `compress`, what the session adds to it left out. */
export type CompactionCall = Omit<CompressCall, 'messages' | 'origins' | 'currentTokens'>

interface Committed {
  readonly result: CompressResult
  /** False for what changed nothing, or broke a law. */
  readonly committed: boolean
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
export function createSessionCompaction(input: SessionCompactionInput) {
  const { engine, tokens, guard, events, warnings, ledger, projection, budget } = input
  /** Messages that an undo brought to; undefined when none holds compactions back. */
  let held: number | undefined

  /** Compacts once and commits what the laws allow. */
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
  /** The last compaction, as long as it can be undone. */
  const last = (): LastCompaction | undefined => {
    const left = projection.left(ledger.messages)
    return left && { left }
  }

  return {
    compact,
    /** Compacts while a compaction is due and helps; else lets the engine shorten old tool results. */
    async compactWhileDue(contextLength: number, call: CompactionCall): Promise<CompressResult[]> {
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
    /** Compacts because the user asks for it, if the engine finds anything to do. */
    async compactNow(call: CompactionCall): Promise<CompressResult> {
      held = undefined
      const { messages } = projection
      const hasContent = guard.call('hasContentToCompress', true, () => engine.hasContentToCompress(messages))
      if (!hasContent) return keptResult('unchanged', 'nothing-to-compact', messages, tokens)
      const { result } = await compact('manual', { ...call, force: true })
      return result
    },
    last,
    /** Undoes the last compaction, and compacts no more of its own accord for a while. */
    undo(): LastCompaction | undefined {
      const undone = last()
      if (undone === undefined) return undefined
      projection.undo(ledger.messages)
      held = projection.messages.length
      warnings.clear()
      events.emit({ type: 'undone', ...undone })
      return undone
    },
    clear(): void {
      held = undefined
    },
  }
}

async function commit(
  input: SessionCompactionInput,
  why: CommitReason,
  propose: () => Promise<CompressResult>,
  signal: AbortSignal | undefined,
): Promise<Committed> {
  const { engine, guard, events, warnings, ledger, projection, budget } = input
  const estimate = budget.estimate(projection.messages)
  const { messages: transcript } = ledger
  const { result, next } = await checked(input, propose, signal)
  const committed = next !== undefined
  if (committed) {
    projection.commit(next, transcript.length, why)
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

/**
 * Asks the engine for a compaction and takes the answer only if the laws hold for it. An engine that throws or returns
 * something else costs the compaction, not the turn. An abort rejects with the signal's reason and changes nothing.
 */
async function checked(
  {
    engine: { name },
    tokens,
    guard,
    events,
    ledger: { messages: transcript },
    projection,
  }: SessionCompactionInput,
  propose: () => Promise<CompressResult>,
  signal: AbortSignal | undefined,
): Promise<{ readonly result: CompressResult; readonly next?: TracedMessages }> {
  const before = { messages: projection.messages, origins: projection.origins }
  const refuse = (code: string, message: string, result?: CompressResult): CompressResult =>
    keptResult('aborted', code, before.messages, tokens, [...(result?.warnings ?? []), { code, message }])

  let result: CompressResult
  try {
    result = readCompressResult(await abortable(propose(), signal), before.messages, tokens)
  } catch (error) {
    signal?.throwIfAborted()
    const message = `the engine "${name}" failed to compact and everything was kept: ${errorText(error)}`
    return { result: refuse('engine-failed', message) }
  }
  if (result.outcome !== 'compacted') return { result }
  const broken = checkProjection(result.messages, transcript, { before: before.messages })
  // A value that is no sequence of messages cannot be counted either.
  const violations = broken.length > 0 ? broken : checkCompression(before.messages, result, tokens)
  const [first] = violations
  if (first !== undefined) {
    events.emit({ type: 'violations', violations })
    const message = `a compaction by "${name}" broke law ${first.law} (${first.code} at message ${first.index}: ${first.message}) and was not used`
    return { result: refuse('law-violation', message, result) }
  }
  const { messages, origins: told } = result
  const origins = originsOf({ engineName: name, guard, transcript, before, after: messages, told })
  return { result: { ...result, origins }, next: { messages, origins } }
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
