import { countMessages } from '../budget/count-tokens.ts'
import { HYGIENE_SHARE, needsHygiene } from '../budget/threshold.ts'
import { compactedResult, keptResult, readCompressResult } from '../engine/compress-results.ts'
import { errorText } from '../errors/errors.ts'
import { checkCompression, checkProjection } from '../invariants/check-projection.ts'
import type { CompressCall, CompressResult, Message } from '../spec/v1/index.ts'
import type { SessionParts } from './request-composer.ts'
import { abortable } from './scheduling.ts'
import type { CommitReason } from './session-projection.ts'
import type { CompactionTrigger, LastCompaction, PromptEstimate } from './session-types.ts'

const MAX_PASSES = 3
/** A further pass must reduce the tokens below this share; 5 % less is no progress. */
const PROGRESS_SHARE = 0.95
/** From this share of the threshold, compact early if the provider has dropped the prompt. */
const IDLE_SHARE = 0.7
/** After a compaction or an undo, wait until this share of the window was added. */
const HOLD_SHARE = 0.1

/** A call of `compress`, what the session adds to it left out. */
export type CompactionCall = Omit<CompressCall, 'messages' | 'currentTokens'>

interface SessionCompactionInput extends SessionParts {
  /** True if the provider has dropped the prompt, so that a compaction costs no cache reads. */
  readonly isIdle: () => boolean
}

export function createSessionCompaction(input: SessionCompactionInput) {
  const { engine, tokens, guard, events, warnings, projection, budget } = input
  /** Messages that were shown when a hold began, and the prompt, as a share of the window, that ends it early. */
  let held: { readonly from: number; readonly full: number } | undefined

  const compact = async (trigger: CompactionTrigger, call: CompactionCall, isFurther = false) => {
    const { messages } = projection
    const currentTokens = budget.estimate(messages).tokens
    const propose = async () => engine.compress({ ...call, messages, currentTokens })
    const done = await commit(input, { trigger, isFurther }, propose, call.signal)
    if (done.committed) held = { from: projection.messages.length, full: 1 }
    return done
  }
  const isHeld = (contextLength: number): boolean => {
    if (held === undefined) return false
    const { messages } = projection
    const isFull = budget.estimate(messages).tokens >= contextLength * held.full
    return !isFull && countMessages(tokens, messages.slice(held.from)) < contextLength * HOLD_SHARE
  }
  const last = (): LastCompaction | undefined => {
    const left = projection.left()
    return left && { left }
  }

  return {
    compact,
    /** Compacts while it is due and makes progress; otherwise lets the engine shorten old tool results. */
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
    async compactNow(call: CompactionCall): Promise<CompressResult> {
      held = undefined
      const { messages } = projection
      const hasContent = guard.call('hasContentToCompress', true, () => engine.hasContentToCompress(messages))
      if (!hasContent) return keptResult('unchanged', 'nothing-to-compact', messages, tokens)
      const { result } = await compact('manual', { ...call, force: true })
      return result
    },
    last,
    /** Undoes the last compaction and delays the next one. */
    undo(): LastCompaction | undefined {
      const undone = last()
      if (undone === undefined) return undefined
      projection.undo()
      held = { from: projection.messages.length, full: HYGIENE_SHARE }
      warnings.clear()
      events.emit({ type: 'undone', ...undone })
      return undone
    },
    clear(): void {
      held = undefined
    },
  }
}

/** `committed` is false if nothing changed, or an invariant was violated. */
async function commit(
  input: SessionCompactionInput,
  why: CommitReason,
  propose: () => Promise<CompressResult>,
  signal: AbortSignal | undefined,
): Promise<{ readonly result: CompressResult; readonly committed: boolean }> {
  const { engine, guard, events, warnings, log, projection, budget } = input
  const estimate = budget.estimate(projection.messages)
  const { length: transcriptLength } = log.messages
  const { result, next } = await checked(input, propose, signal)
  const committed = next !== undefined
  if (committed) {
    projection.commit(next, transcriptLength, why)
    warnings.clear()
  }
  warnings.say(...result.warnings)
  const shown = { ...result, messages: result.messages.map(log.bare) }
  const origins = projection.origins(result.messages)
  events.emit({ type: 'compaction', trigger: why.trigger, result: shown, origins, estimate, committed })
  if (committed) {
    const tell = () => engine.onCompactionBoundary({ result, transcriptLength })
    await guard.callAsync('onCompactionBoundary', undefined, tell)
  }
  return { result: shown, committed }
}

/**
 * Asks the engine to compact and accepts the result only if the invariants hold. If the engine throws, only the
 * compaction fails, not the turn. An abort rejects with the signal's reason and changes nothing.
 */
async function checked(
  { engine: { name }, tokens, events, log, projection }: SessionCompactionInput,
  propose: () => Promise<CompressResult>,
  signal: AbortSignal | undefined,
): Promise<{ readonly result: CompressResult; readonly next?: readonly Message[] }> {
  const { messages: before } = projection
  const refuse = (code: string, message: string, result?: CompressResult) => {
    const warnings = [...(result?.warnings ?? []), { code, message }]
    return { result: keptResult('aborted', code, before, tokens, warnings) }
  }
  let result: CompressResult
  try {
    result = readCompressResult(await abortable(propose(), signal), before, tokens)
  } catch (error) {
    signal?.throwIfAborted()
    const why = errorText(error)
    return refuse('engine-failed', `the engine "${name}" failed to compact and everything was kept: ${why}`)
  }
  if (result.outcome !== 'compacted') return { result }
  const { messages } = result
  const broken = checkProjection(messages, log.messages, { before })
  // A value that is not a list of messages cannot be counted.
  const violations = broken.length > 0 ? broken : checkCompression(before, result, tokens)
  const [first] = violations
  if (first !== undefined) {
    events.emit({ type: 'violations', violations })
    const fault = `${first.code} at message ${first.index}: ${first.message}`
    const message = `a compaction by "${name}" broke invariant ${first.invariant} (${fault}) and was not used`
    return refuse('invariant-violation', message, result)
  }
  return { result, next: messages }
}

async function prune(input: SessionCompactionInput, { signal }: CompactionCall): Promise<CompressResult[]> {
  const { engine, tokens, guard, projection } = input
  const { messages: before } = projection
  const shorten = async (): Promise<CompressResult | undefined> => {
    const after = await engine.pruneToolResults(before)
    return after === before
      ? undefined
      : compactedResult({ before, after, tokens, reason: 'tool-results-pruned' })
  }
  const pruned = await guard.callAsync('pruneToolResults', undefined, shorten, signal)
  if (pruned?.outcome !== 'compacted') return []
  const { result } = await commit(input, { trigger: 'prune', isFurther: true }, async () => pruned, signal)
  return [result]
}

function dueTrigger(
  { engine, guard, projection: { messages }, isIdle }: SessionCompactionInput,
  contextLength: number,
  { tokens: promptTokens }: PromptEstimate,
  isFirst: boolean,
): CompactionTrigger | undefined {
  if (needsHygiene({ contextLength, messageCount: messages.length, promptTokens })) return 'hygiene'
  // Compare with true: a promise returned by mistake is not a yes.
  const isOver = (size: number) =>
    guard.call('shouldCompress', false, () => engine.shouldCompress({ promptTokens: size })) === true
  if (isOver(promptTokens)) return 'threshold'
  const preflight = () => engine.shouldCompressPreflight(messages)
  if (guard.call('shouldCompressPreflight', false, preflight) === true) return 'preflight'
  const threshold = guard.call('thresholdTokens', contextLength, () => engine.thresholdTokens)
  const isNear = isFirst && promptTokens >= IDLE_SHARE * threshold
  // An engine that would not compact at its threshold never compacts on its own.
  return isNear && isIdle() && isOver(threshold) ? 'idle' : undefined
}
