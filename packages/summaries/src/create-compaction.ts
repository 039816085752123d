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

/** Less than this share of what messages may take is not worth a summary, unless the user asks for it. */
const LEAST_SHARE = 0.02

/** A compaction, decided before anything is written. */
export interface CompactionPlan {
  /** Tokens of what leaves the projection or is shortened in it; 0 when nothing does. */
  readonly leavingTokens: number
  /** Room for the messages afterwards, in tokens. A result that takes more is returned with a warning. */
  readonly targetTokens: number
  /** A compaction must gain a share of this to be worth it, in tokens. Default: `targetTokens`. */
  readonly availableTokens?: number
  /** It is carried out however little leaves, and whatever was found out at this size before. Default false. */
  readonly isDue?: boolean
  /** Tokens of the messages afterwards, at most. Where an earlier try at this size left more, another one is worth it. */
  readonly resultTokens?: number
  /** Known before anything is written; part of each result. */
  readonly warnings?: readonly Warning[]
  /** The parts that must stay and what they take, for the warning that they are too large. */
  staying(): string
  /** A result without writing anything. `isFirst`: it is enough when it is below the target. */
  readonly written?: { readonly isFirst: boolean; show(): Promise<CompressResult> }
}

export interface PlanCall extends CompressCall {
  /** The messages as they can be read: see `readMessages`. */
  readonly readable: readonly Message[]
  /** Tokens of the messages by the host's counter. */
  readonly size: number
  /** The size of the whole prompt, in tokens: `currentTokens`, or the size. */
  readonly promptTokens: number
  kept(
    outcome: Exclude<CompressOutcome, 'compacted'>,
    reason: string,
    warnings?: readonly Warning[],
  ): CompressResult
  compacted(result: Omit<CompactedInput, 'before' | 'tokens'>): CompressResult
}

export interface WriteCall extends PlanCall {
  /** Undefined without one, and while it is left alone after failures. */
  readonly model: CompletionModel | undefined
  readonly streak: number
  /** True when keeping everything is no way out: a summary must be made. */
  readonly mustSummarize: boolean
  /** The prompt that the session's model has in its cache. */
  readonly lastRequest?: LastRequest | undefined
  /** The result for a summary: keeps count of the model's failures, and says why everything was kept. */
  summarised(
    written: WrittenSummary,
    result: (text: string) => Pick<CompactedInput, 'after' | 'summary' | 'warnings'>,
  ): CompressResult
}

/** `earlier`: an earlier summary says everything already. */
export type WrittenSummary = Omit<SummarizedOrKept, 'writer'> & {
  readonly writer: SummarizedOrKept['writer'] | 'earlier'
}

/** An engine brings a plan of what is replaced, and a writer of what stands there instead. */
export interface CompactionInput<Plan extends CompactionPlan> {
  readonly host: EngineHost
  /** The prompt size from which messages are too many, in tokens. */
  threshold(): number
  /** The prompt size from which a compaction is asked for, in tokens. Default: the threshold. Infinite for never. */
  trigger?(): number
  /** Decides what a call would do. A result instead of a plan ends the call. */
  plan(call: PlanCall): Plan | CompressResult | Promise<Plan | CompressResult>
  write(plan: Plan, call: WriteCall): Promise<CompressResult>
  compacted?(result: CompressResult, plan: Plan, call: PlanCall): void
  /** Default: one of its own. */
  readonly queue?: SerialQueue
  /** Default: one of its own. */
  readonly cooldown?: ModelCooldown
}

/** The members of an engine that compacts. Overlapping compactions run one after the other. */
export interface Compaction
  extends Pick<
    ContextEngine,
    'thresholdTokens' | 'contextLength' | 'shouldCompress' | 'compress' | 'updateModel'
  > {
  /** Sizes at which compacting is useless. */
  readonly gate: GrowthGate
  /** Failures of the model, and whether it is left alone after them. */
  readonly cooldown: ModelCooldown
  /** A share of the window without what is reserved for the answer, in tokens; `floorTokens` as in `thresholdTokens`. */
  share(part: number, floorTokens?: number): number
  reset(): void
}

/**
 * The course of a compaction, which is the same for all engines: is it worth it, is the model left alone, write, keep count
 * of failures, and remember at which sizes it would be useless. An engine brings a plan and a writer.
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
  const call = planCall(given, tokens)
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
  return result.outcome === 'compacted' || result.outcome === 'unchanged' ? settle(result) : told(result)
}

function planCall(call: CompressCall, tokens: EngineHost['tokens']): PlanCall {
  const { messages: before } = call
  const readable = readMessages(before)
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

/** Why a plan is not worth carrying out; undefined when it is. */
function idleReason(plan: CompactionPlan, isForced: boolean, isBlocked: boolean): string | undefined {
  const { leavingTokens, targetTokens, availableTokens = targetTokens, isDue } = plan
  if (isDue) return undefined
  if (leavingTokens === 0) return 'nothing-to-compact'
  if (isForced) return undefined
  if (isBlocked) return 'waiting-for-growth'
  return leavingTokens < availableTokens * LEAST_SHARE ? 'too-little-to-compact' : undefined
}

/** Why a compaction is one, by who wrote its summary. */
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
  // A model that ignores its signal answers after the caller has gone: nothing of that is remembered.
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

/** Remembers what a compaction came to, and at which sizes the next one would be useless. */
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
  // The messages that must stay are too large: doing it all again for every message would only cost.
  const left = call.promptTokens - (result.tokensBefore - result.tokensAfter)
  gate.block(left)
  return { ...result, warnings: [...result.warnings, aboveTarget(plan, result.tokensAfter)] }
}

/** Says why a projection is not below its target although everything was done: what must stay is too large. */
function aboveTarget(plan: CompactionPlan, size: number): Warning {
  const message = `the messages take ${size} tokens, the target is ${plan.targetTokens}; what must stay is too large: ${plan.staying()}`
  return { code: 'above-target', message }
}

/** Growth after which a compaction that had nothing to do is tried again. */
const RETRY_GROWTH = 1.05
/** A prompt that is this much smaller is another one: the host took messages back. */
const RETRY_SHRINK = 0.95

/** Keeps an engine from compacting again and again at a size at which nothing can be gained. */
export interface GrowthGate {
  /** True for a prompt size, in tokens, at which asking again is useless, unless the prompt would become another one. */
  isBlocked(promptTokens: number, resultTokens?: number): boolean
  /** Nothing could be gained at this size: wait until the prompt has grown by 5 %. */
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
