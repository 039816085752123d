import {
  type CompressCall,
  type CompressResult,
  checkMessage,
  compactedResult,
  countMessages,
  createSerialQueue,
  type EngineHost,
  type EngineParts,
  HYGIENE_SHARE,
  keptResult,
  type Message,
  readMessages,
  thresholdTokens,
} from '@palimpsest/core'
import { assembleProjection } from './assemble-projection.ts'
import { createCompactionState } from './compaction-state.ts'
import { aboveTarget, describePlan } from './describe-plan.ts'
import { type CompressorOptions, resolveProfile } from './options.ts'
import { type CompactionPlan, planCompaction } from './plan-compaction.ts'
import { writeBody } from './write-body.ts'

/** Less than this share of the target is not worth a summary, unless the user asks for it. */
const LEAST_MATERIAL_SHARE = 0.02

/** Why a compaction is one, by who wrote its summary. */
const REASONS = {
  model: 'summarised',
  extractive: 'summarised-without-model',
  nobody: 'summarised-before',
} as const

/** The parts of the compressor for one session. Overlapping compactions run one after the other. */
export function createCompressor(options: CompressorOptions, host: EngineHost): EngineParts {
  const profile = resolveProfile(options)
  const { tokens, clock, model } = host
  const state = createCompactionState()
  const enqueue = createSerialQueue()
  let contextLength = host.contextLength

  const threshold = (): number =>
    thresholdTokens({ contextLength, maxOutputTokens: host.maxOutputTokens, threshold: profile.threshold })

  const planFor = (messages: readonly Message[], call: Partial<CompressCall>): CompactionPlan =>
    planCompaction(messages, profile, tokens, state.told, {
      contextLength,
      thresholdTokens: threshold(),
      currentTokens: call.currentTokens,
      targetTokens: call.targetTokens,
      deep: state.isThrashing(),
    })

  /** Why a plan is not worth carrying out; undefined when it is. */
  const idleReason = ({ leavingTokens, room }: CompactionPlan, call: CompressCall, current: number) => {
    if (leavingTokens === 0 || state.isSettled(call)) return 'nothing-to-compact'
    if (call.force === true) return undefined
    if (state.gate.isBlocked(current)) return 'waiting-for-growth'
    return leavingTokens < room.target * LEAST_MATERIAL_SHARE ? 'too-little-to-compact' : undefined
  }

  const compress = async (call: CompressCall): Promise<CompressResult> => {
    const { messages: before, force = false } = call
    const messages = readMessages(before)
    const size = countMessages(tokens, before)
    const current = call.currentTokens ?? size
    const plan = planFor(messages, call)

    const idle = idleReason(plan, call, current)
    if (idle !== undefined) {
      if (idle !== 'waiting-for-growth') state.gate.block(current)
      const warnings = current > threshold() ? [aboveTarget(plan, size, tokens)] : []
      return keptResult('unchanged', idle, before, tokens, warnings)
    }
    const isFull = current >= contextLength * HYGIENE_SHARE
    const isCooling = model !== undefined && !force && state.cooldown.isCooling(clock.now())
    if (isCooling && !isFull) return keptResult('deferred', 'summariser-cooldown', before, tokens)

    const { text, writer, failure, warnings } = await writeBody({
      plan,
      call,
      profile,
      tokens,
      model: isCooling ? undefined : model,
      streak: state.cooldown.failures(),
      mustSummarize: force || isFull,
      memory: state.memory,
    })
    // A model that ignores its signal answers after the caller has gone: nothing of that is remembered.
    call.signal?.throwIfAborted()
    if (failure !== undefined) state.cooldown.failed(clock.now(), failure.cooldownMs)
    else if (writer === 'model') state.cooldown.succeeded()
    if (text === null) return keptResult('aborted', `summariser-${failure?.kind}`, before, tokens, warnings)

    const after = assembleProjection({
      boundaries: plan.boundaries,
      tail: plan.tail.messages,
      summary: text,
      systemNote: profile.systemNote,
    })
    const reason = REASONS[writer]
    const result = compactedResult({ before, after, tokens, reason, warnings, summary: describePlan(plan) })
    if (result.outcome !== 'compacted') {
      state.gate.block(current)
      return result
    }
    state.compacted(result, call, plan)
    if (result.tokensAfter < plan.room.target) return result
    // What must stay is too large: doing it all again for every message would only cost.
    state.gate.block(current - (result.tokensBefore - result.tokensAfter))
    return { ...result, warnings: [...warnings, aboveTarget(plan, result.tokensAfter, tokens)] }
  }

  return {
    capabilities: ['summarizer'],
    get thresholdTokens() {
      return threshold()
    },
    get contextLength() {
      return contextLength
    },
    shouldCompress: ({ promptTokens = 0 } = {}) =>
      promptTokens >= threshold() && !state.gate.isBlocked(promptTokens),
    compress: (call) => enqueue(() => compress(call), call.signal),
    async ingest({ messages, from }) {
      // What a compaction needs to know of a message is found out once, when it arrives.
      state.memory.add(messages, from)
      for (const message of messages) if (checkMessage(message).length === 0) tokens.countMessage(message)
    },
    hasContentToCompress: (messages) => planFor(messages, {}).leavingTokens > 0,
    updateModel(update) {
      contextLength = update.contextLength
      state.unblock()
    },
    async onSessionReset() {
      state.reset()
    },
  }
}
