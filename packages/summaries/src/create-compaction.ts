import {
  type CompactedInput,
  type CompletionModel,
  type CompressCall,
  type CompressOutcome,
  type CompressResult,
  type ContextEngine,
  compactedResult,
  countMessages,
  createPause,
  createSerialQueue,
  type EngineHost,
  HYGIENE_SHARE,
  keptResult,
  type LastRequest,
  type Message,
  type ModelUpdate,
  readMessages,
  type SerialQueue,
  thresholdTokens,
  type Warning,
} from '@palimpsest/core'
import { createModelCooldown, type ModelCooldown, type SummarizedOrKept } from './failures.ts'

/** A smaller share of the room for messages is not worth a summary, unless the user asks. */
const LEAST_SHARE = 0.02

/** The plan of a compaction, before anything is written. */
export interface CompactionPlan {
  /** Tokens that leave the projection or are shortened; 0 if none. */
  readonly leavingTokens: number
  /** Room for the messages afterwards, in tokens. A larger result is returned with a warning. */
  readonly targetTokens: number
  /** The gain must be a share of this to be worth a compaction, in tokens. Default: `targetTokens`. */
  readonly availableTokens?: number
  /** True to compact even if little leaves, and in spite of earlier attempts. Default false. */
  readonly isDue?: boolean
  /** Upper bound of the result's messages, in tokens. If an earlier attempt left more, another one is worthwhile. */
  readonly resultTokens?: number
  readonly warnings?: readonly Warning[]
  /** Names the parts that must stay and their sizes, for the warning that they are too large. */
  staying(): string
  /** A result that needs no writing. `isFirst`: it suffices if it is below the target. */
  readonly written?: { readonly isFirst: boolean; show(): Promise<CompressResult> }
}

export interface PlanCall extends CompressCall {
  readonly readable: readonly Message[]
  /** Tokens of the messages by the host's counter. */
  readonly size: number
  /** The size of the whole prompt in tokens: `currentTokens`, or the messages' size. */
  readonly promptTokens: number
  kept(
    outcome: Exclude<CompressOutcome, 'compacted'>,
    reason: string,
    warnings?: readonly Warning[],
  ): CompressResult
  compacted(result: Omit<CompactedInput, 'before' | 'tokens'>): CompressResult
}

export interface WriteCall extends PlanCall {
  /** The model; undefined during its cooldown. */
  readonly model: CompletionModel | undefined
  readonly streak: number
  /** True if keeping everything is not possible. */
  readonly mustSummarize: boolean
  /** The prompt that the session's model has in its cache. */
  readonly lastRequest?: LastRequest | undefined
  /** The result for a summary. Counts the model's failures, and explains why everything was kept. */
  summarised(
    written: WrittenSummary,
    result: (text: string) => Pick<CompactedInput, 'after' | 'summary' | 'warnings'>,
  ): CompressResult
}

/** `earlier`: an earlier summary already has everything. */
export type WrittenSummary = Omit<SummarizedOrKept, 'writer'> & {
  readonly writer: SummarizedOrKept['writer'] | 'earlier'
}

export interface CompactionInput<Plan extends CompactionPlan> {
  readonly host: EngineHost
  threshold(): number
  trigger?(): number
  plan(call: PlanCall): Plan | CompressResult | Promise<Plan | CompressResult>
  write(plan: Plan, call: WriteCall): Promise<CompressResult>
  compacted?(result: CompressResult, plan: Plan, call: PlanCall): void
  readonly queue?: SerialQueue
  readonly cooldown?: ModelCooldown
}

/** The members of an engine that compacts. Overlapping compactions run one after another. */
export interface Compaction
  extends Pick<
    ContextEngine,
    'thresholdTokens' | 'contextLength' | 'shouldCompress' | 'compress' | 'updateModel'
  > {
  /** Prompt sizes at which compacting is useless. */
  readonly gate: GrowthGate
  /** Counts the model's failures, and decides when to skip it. */
  readonly cooldown: ModelCooldown
  /** Tokens of a share of the usable window; `floorTokens` as in `thresholdTokens`. */
  share(part: number, floorTokens?: number): number
  reset(): void
}

/**
 * Runs a compaction: checks if it is worthwhile, skips a failing model, writes, counts failures, and remembers useless
 * sizes. An engine provides the plan and the writer.
 */
export function createCompaction<Plan extends CompactionPlan>(input: CompactionInput<Plan>): Compaction {
  const { host, queue = createSerialQueue(), cooldown = createModelCooldown() } = input
  const gate = createGrowthGate()
  let { contextLength } = host
  const compaction: Compaction = {
    gate,
    cooldown,
    get contextLength() {
      return contextLength
    },
    get thresholdTokens() {
      return input.threshold()
    },
    share: (part, floorTokens = 0) =>
      thresholdTokens({ contextLength, maxOutputTokens: host.maxOutputTokens, threshold: part, floorTokens }),
    shouldCompress: ({ promptTokens = 0 } = {}) =>
      promptTokens >= (input.trigger ?? input.threshold)() && !gate.isBlocked(promptTokens),
    compress: (call) => queue(() => compact(compaction, input, call), call.signal),
    updateModel(update: ModelUpdate) {
      contextLength = update.contextLength
      gate.clear()
    },
    reset() {
      gate.clear()
      cooldown.succeeded()
    },
  }
  return compaction
}

async function compact<Plan extends CompactionPlan>(
  compaction: Compaction,
  input: CompactionInput<Plan>,
  given: CompressCall,
): Promise<CompressResult> {
  const { gate, cooldown, contextLength } = compaction
  const { tokens, clock, model } = input.host
  const { force = false } = given
  const pause = createPause()
  const readable = readMessages(given.messages)
  await pause()
  const call = planCall(given, readable, tokens)
  const { promptTokens, size } = call
  await pause()
  const plan = await input.plan(call)
  await pause()
  if ('outcome' in plan) return plan
  const { warnings = [], written, resultTokens = size } = plan
  const told = (result: CompressResult): CompressResult =>
    warnings.length === 0 ? result : { ...result, warnings: [...warnings, ...result.warnings] }
  const settle = (result: CompressResult) => told(remember(compaction, input, plan, call, result))

  if (written?.isFirst) {
    const shown = await written.show()
    if (shown.outcome === 'compacted' && shown.tokensAfter < plan.targetTokens) return settle(shown)
  }
  const idle = idleReason(plan, force, gate.isBlocked(promptTokens, promptTokens - size + resultTokens))
  if (idle !== undefined) {
    const shown = await written?.show()
    if (shown?.outcome === 'compacted') return settle(shown)
    if (idle !== 'waiting-for-growth') gate.block(promptTokens)
    const isAbove = promptTokens > input.threshold()
    return told(call.kept('unchanged', idle, isAbove ? [aboveTarget(plan, size)] : []))
  }
  const isFull = promptTokens >= contextLength * HYGIENE_SHARE
  const isCooling = model !== undefined && !force && cooldown.isCooling(clock.now())
  if (isCooling && !isFull) return told(call.kept('deferred', 'summariser-cooldown'))
  const result = await input.write(plan, {
    ...call,
    model: isCooling ? undefined : model,
    streak: cooldown.failures(),
    mustSummarize: force || isFull,
    lastRequest: input.host.lastRequest?.(),
    summarised: (text, make) => summarised({ cooldown, now: clock.now() }, call, text, make),
  })
  await pause()
  return result.outcome === 'compacted' || result.outcome === 'unchanged' ? settle(result) : told(result)
}

function planCall(call: CompressCall, readable: readonly Message[], tokens: EngineHost['tokens']): PlanCall {
  const { messages: before } = call
  const size = countMessages(tokens, before)
  return {
    ...call,
    readable,
    size,
    promptTokens: call.currentTokens ?? size,
    kept: (outcome, reason, warnings) => keptResult(outcome, reason, before, tokens, warnings),
    compacted: (result) => compactedResult({ ...result, before, tokens }),
  }
}

function idleReason(plan: CompactionPlan, isForced: boolean, isBlocked: boolean): string | undefined {
  const { leavingTokens, targetTokens, availableTokens = targetTokens, isDue } = plan
  if (isDue) return undefined
  if (leavingTokens === 0) return 'nothing-to-compact'
  if (isForced) return undefined
  if (isBlocked) return 'waiting-for-growth'
  return leavingTokens < availableTokens * LEAST_SHARE ? 'too-little-to-compact' : undefined
}

const REASONS = {
  model: 'summarised',
  extractive: 'summarised-without-model',
  earlier: 'summarised-before',
} as const

function summarised(
  { cooldown, now }: { readonly cooldown: ModelCooldown; readonly now: number },
  call: PlanCall,
  { text, writer, failure, warnings }: WrittenSummary,
  make: Parameters<WriteCall['summarised']>[1],
): CompressResult {
  // A model that ignores its signal may answer after the caller has left; drop that answer.
  call.signal?.throwIfAborted()
  if (failure !== undefined) cooldown.failed(now, failure.cooldownMs)
  else if (writer === 'model') cooldown.succeeded()
  if (text === null) return call.kept('aborted', `summariser-${failure?.kind}`, warnings)
  const made = make(text)
  return call.compacted({
    ...made,
    reason: REASONS[writer],
    warnings: [...warnings, ...(made.warnings ?? [])],
  })
}

function remember<Plan extends CompactionPlan>(
  { gate }: Compaction,
  { compacted }: CompactionInput<Plan>,
  plan: Plan,
  call: PlanCall,
  result: CompressResult,
): CompressResult {
  if (result.outcome !== 'compacted') {
    gate.block(call.promptTokens)
    return result
  }
  gate.clear()
  compacted?.(result, plan, call)
  if (result.tokensAfter < plan.targetTokens) return result
  // The messages that must stay are too large, so repeating this for every message gains nothing.
  const left = call.promptTokens - (result.tokensBefore - result.tokensAfter)
  gate.block(left)
  return { ...result, warnings: [...result.warnings, aboveTarget(plan, result.tokensAfter)] }
}

function aboveTarget(plan: CompactionPlan, size: number): Warning {
  const message = `the messages take ${size} tokens, the target is ${plan.targetTokens}; what must stay is too large: ${plan.staying()}`
  return { code: 'above-target', message }
}

/** Growth after which a useless compaction is tried again. */
const RETRY_GROWTH = 1.05
/** A prompt that shrinks below this share is a new one: the host removed messages. */
const RETRY_SHRINK = 0.95

export interface GrowthGate {
  isBlocked(promptTokens: number, resultTokens?: number): boolean
  block(promptTokens: number): void
  clear(): void
}

export function createGrowthGate(): GrowthGate {
  let blocked = { from: 0, until: 0 }
  return {
    isBlocked: (promptTokens, resultTokens = promptTokens) =>
      promptTokens < blocked.until && Math.min(promptTokens, resultTokens) >= blocked.from,
    block(promptTokens) {
      blocked = { from: promptTokens * RETRY_SHRINK, until: promptTokens * RETRY_GROWTH }
    },
    clear() {
      blocked = { from: 0, until: 0 }
    },
  }
}
