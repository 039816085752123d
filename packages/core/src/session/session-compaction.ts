import { countMessages } from '../budget/count-tokens.ts'
import { HYGIENE_SHARE, needsHygiene } from '../budget/threshold.ts'
import { compactedResult, keptResult, readCompressResult } from '../engine/compress-results.ts'
import { errorText } from '../errors/errors.ts'
import { checkCompression, checkProjection } from '../invariants/check-projection.ts'
import type { CompressCall, CompressResult, Message } from '../spec/v1/index.ts'
import type { SessionParts } from './request-composer.ts'
import { abortable, createPause } from './scheduling.ts'
import type { CommitReason, ProjectionBase } from './session-projection.ts'
import type { CompactionTiming, CompactionTrigger, LastCompaction, PromptEstimate } from './session-types.ts'

const MAX_PASSES = 3
/** A further pass must reduce the tokens below this share; 5 % less is no progress. */
const PROGRESS_SHARE = 0.95
/** The next compaction after one, or after an undo, waits until this share of the window was added. */
const HOLD_SHARE = 0.1

export type CompactionCall = Omit<CompressCall, 'messages'>

interface SessionCompactionInput extends SessionParts {
  readonly compactAt: CompactionTiming | undefined
}

interface Proposal {
  readonly result: CompressResult
  readonly next?: readonly Message[]
}

/** A compaction that runs while the model answers, tools work and the user reads. */
interface IdleCompaction {
  readonly of: ProjectionBase
  readonly trigger: CompactionTrigger
  readonly proposal: Promise<Proposal>
  readonly stop: AbortController
  isReady: boolean
}

function shownBy({ projection, log }: SessionCompactionInput): ProjectionBase {
  return { messages: projection.messages, covered: log.messages.length }
}

export function createSessionCompaction(input: SessionCompactionInput) {
  const { engine, tokens, guard, events, warnings, projection, budget, compactAt } = input
  /** Messages that were shown when a hold began, and the prompt, as a share of the window, that ends it early. */
  let held: { readonly from: number; readonly full: number } | undefined
  let idle: IdleCompaction | undefined

  const propose = (of: ProjectionBase, call: CompactionCall) => {
    const { currentTokens = budget.estimate(of.messages).tokens } = call
    const compress = async () => engine.compress({ ...call, messages: of.messages, currentTokens })
    return checked(input, of, compress, call.signal)
  }
  const settle = async (of: ProjectionBase, why: CommitReason, proposal: Proposal) => {
    const done = await commit(input, of, why, proposal)
    if (done.committed) held = { from: projection.messages.length, full: 1 }
    return done
  }
  const stopIdle = (): void => {
    idle?.stop.abort()
    idle = undefined
  }
  const compact = async (trigger: CompactionTrigger, call: CompactionCall, isFurther = false) => {
    stopIdle()
    const of = shownBy(input)
    return settle(of, { trigger, isFurther }, await propose(of, call))
  }
  const startIdle = (trigger: CompactionTrigger, { signal: _, ...call }: CompactionCall): void => {
    const of = shownBy(input)
    const stop = new AbortController()
    const proposal = propose(of, { ...call, signal: stop.signal })
    const started: IdleCompaction = { of, trigger, proposal, stop, isReady: false }
    idle = started
    const end = () => {
      started.isReady = true
    }
    proposal.then(end, end)
  }
  const isPastIdle = ({ of }: IdleCompaction) =>
    of.messages.some((message, index) => message !== projection.messages[index])
  const landIdle = async ({ of, trigger, proposal }: IdleCompaction, signal: AbortSignal | undefined) => {
    const ready = await abortable(proposal, signal)
    idle = undefined
    return settle(of, { trigger, isFurther: false }, ready)
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
    /**
     * Compacts while it is due and makes progress; otherwise lets the engine shorten old tool results.
     *
     * @param waitAt prompt size in tokens from which the request waits for the compaction.
     */
    async compactWhileDue(
      contextLength: number,
      waitAt: number,
      call: CompactionCall,
    ): Promise<CompressResult[]> {
      if (isHeld(contextLength)) return []
      held = undefined
      const mayRunIdle = (size?: number) =>
        compactAt === 'idle' && (size ?? budget.estimate(projection.messages).tokens) < waitAt
      const results: CompressResult[] = []
      if (idle !== undefined && isPastIdle(idle)) stopIdle()
      if (idle !== undefined) {
        if (!idle.isReady && mayRunIdle()) return results
        const { result } = await landIdle(idle, call.signal)
        results.push(result)
        if (mayRunIdle()) return results
      }
      for (let pass = 0; pass < MAX_PASSES; pass++) {
        const estimate = budget.estimate(projection.messages)
        const trigger = dueTrigger(input, contextLength, estimate)
        if (trigger === undefined) break
        const sized = { ...call, currentTokens: estimate.tokens }
        if (mayRunIdle(estimate.tokens)) {
          startIdle(trigger, sized)
          return results
        }
        const { result, committed } = await compact(trigger, sized, pass > 0)
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
    undo(): LastCompaction | undefined {
      const undone = last()
      if (undone === undefined) return undefined
      stopIdle()
      projection.undo()
      held = { from: projection.messages.length, full: HYGIENE_SHARE }
      warnings.clear()
      events.emit({ type: 'undone', ...undone })
      return undone
    },
    clear(): void {
      stopIdle()
      held = undefined
    },
  }
}

async function commit(
  { engine, guard, events, warnings, log, projection, budget }: SessionCompactionInput,
  of: ProjectionBase,
  why: CommitReason,
  { result, next }: Proposal,
): Promise<{ readonly result: CompressResult; readonly committed: boolean }> {
  const pause = createPause()
  const estimate = budget.estimate(projection.messages)
  await pause()
  const committed = next !== undefined
  if (committed) {
    projection.commit(next, of, why)
    warnings.clear()
  }
  warnings.say(...result.warnings)
  await pause()
  const shown = { ...result, messages: result.messages.map(log.bare) }
  const origins = projection.origins(result.messages)
  events.emit({ type: 'compaction', trigger: why.trigger, result: shown, origins, estimate, committed })
  if (committed) {
    const tell = () => engine.onCompactionBoundary({ result, transcriptLength: of.covered })
    await guard.callAsync('onCompactionBoundary', undefined, tell)
  }
  return { result: shown, committed }
}

/**
 * Asks the engine to compact and accepts the result only if the invariants hold. If the engine throws, only the
 * compaction fails, not the turn. An abort rejects with the signal's reason and changes nothing.
 */
async function checked(
  { engine: { name }, tokens, events, log }: SessionCompactionInput,
  { messages: before, covered }: ProjectionBase,
  compress: () => Promise<CompressResult>,
  signal: AbortSignal | undefined,
): Promise<Proposal> {
  const refuse = (code: string, message: string, result?: CompressResult) => {
    const warnings = [...(result?.warnings ?? []), { code, message }]
    return { result: keptResult('aborted', code, before, tokens, warnings) }
  }
  let result: CompressResult
  try {
    result = readCompressResult(await abortable(compress(), signal), before, tokens)
  } catch (error) {
    signal?.throwIfAborted()
    const why = errorText(error)
    return refuse('engine-failed', `the engine "${name}" failed to compact and everything was kept: ${why}`)
  }
  if (result.outcome !== 'compacted') return { result }
  const pause = createPause()
  const { messages } = result
  const broken = checkProjection(messages, log.messages.slice(0, covered), { before })
  await pause()
  const violations = broken.length > 0 ? broken : checkCompression(before, result, tokens)
  await pause()
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
  const { engine, tokens, guard } = input
  const of = shownBy(input)
  const before = of.messages
  const shorten = async (): Promise<CompressResult | undefined> => {
    const after = await engine.pruneToolResults(before)
    return after === before
      ? undefined
      : compactedResult({ before, after, tokens, reason: 'tool-results-pruned' })
  }
  const pruned = await guard.callAsync('pruneToolResults', undefined, shorten, signal)
  if (pruned?.outcome !== 'compacted') return []
  const proposal = await checked(input, of, async () => pruned, signal)
  const { result } = await commit(input, of, { trigger: 'prune', isFurther: true }, proposal)
  return [result]
}

function dueTrigger(
  { engine, guard, projection: { messages } }: SessionCompactionInput,
  contextLength: number,
  { tokens: promptTokens }: PromptEstimate,
): CompactionTrigger | undefined {
  if (needsHygiene({ contextLength, messageCount: messages.length, promptTokens })) return 'safety-net'
  // Compare with true: a promise returned by mistake is not a yes.
  if (guard.call('shouldCompress', false, () => engine.shouldCompress({ promptTokens })) === true)
    return 'threshold'
  const preflight = () => engine.shouldCompressPreflight(messages)
  if (guard.call('shouldCompressPreflight', false, preflight) === true) return 'preflight'
  return undefined
}
