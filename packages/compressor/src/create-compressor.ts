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
import { type CompactionState, createCompactionState } from './compaction-state.ts'
import { aboveTarget, describePlan, fewerProtected } from './describe-plan.ts'
import { type CompressorOptions, type CompressorProfile, resolveProfile } from './options.ts'
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

/** One session's compressor. */
interface Compressor {
  readonly profile: CompressorProfile
  readonly host: EngineHost
  readonly state: CompactionState
  contextLength: number
}

/** The parts of the compressor for one session. Overlapping compactions run one after the other. */
export function createCompressor(options: CompressorOptions, host: EngineHost): EngineParts {
  const compressor: Compressor = {
    profile: resolveProfile(options),
    host,
    state: createCompactionState(),
    contextLength: host.contextLength,
  }
  const { profile, state } = compressor
  const enqueue = createSerialQueue()
  return {
    capabilities: ['summarizer'],
    get thresholdTokens() {
      return threshold(compressor)
    },
    get contextLength() {
      return compressor.contextLength
    },
    shouldCompress: ({ promptTokens = 0 } = {}) =>
      profile.threshold > 0 && promptTokens >= threshold(compressor) && !state.gate.isBlocked(promptTokens),
    compress: (call) => enqueue(() => compress(compressor, call), call.signal),
    async ingest({ messages, from }) {
      // What a compaction needs to know of a message is found out once, when it arrives.
      state.memory.add(messages, from)
      for (const message of messages)
        if (checkMessage(message).length === 0) host.tokens.countMessage(message)
    },
    hasContentToCompress: (messages) => planFor(compressor, messages, {}).leavingTokens > 0,
    updateModel(update) {
      compressor.contextLength = update.contextLength
      state.unblock()
    },
    async onSessionReset() {
      state.reset()
    },
  }
}

function threshold(compressor: Compressor): number {
  const { threshold, thresholdFloor } = compressor.profile
  return shareOfWindow(compressor, threshold, thresholdFloor)
}

function shareOfWindow({ contextLength, host }: Compressor, share: number, floorTokens = 0): number {
  return thresholdTokens({
    contextLength,
    maxOutputTokens: host.maxOutputTokens,
    threshold: share,
    floorTokens,
  })
}

function planFor(
  compressor: Compressor,
  messages: readonly Message[],
  call: Partial<CompressCall>,
): CompactionPlan {
  const { profile, host, state, contextLength } = compressor
  return planCompaction(messages, profile, host.tokens, state.told, {
    contextLength,
    thresholdTokens: threshold(compressor),
    heldTokens: shareOfWindow(compressor, HYGIENE_SHARE),
    currentTokens: call.currentTokens,
    targetTokens: call.targetTokens,
    deep: state.isThrashing(),
    hasModel: host.model !== undefined,
  })
}

/** Why a plan is not worth carrying out; undefined when it is. */
function idleReason(
  { state }: Compressor,
  { leavingTokens, room }: CompactionPlan,
  call: CompressCall,
  current: number,
) {
  if (leavingTokens === 0 || state.isSettled(call)) return 'nothing-to-compact'
  if (call.force === true) return undefined
  if (state.gate.isBlocked(current)) return 'waiting-for-growth'
  return leavingTokens < room.target * LEAST_MATERIAL_SHARE ? 'too-little-to-compact' : undefined
}

async function compress(compressor: Compressor, call: CompressCall): Promise<CompressResult> {
  const { profile, host, state, contextLength } = compressor
  const { tokens, clock, model } = host
  const { messages: before, force = false } = call
  const messages = readMessages(before)
  const size = countMessages(tokens, before)
  const current = call.currentTokens ?? size
  const plan = planFor(compressor, messages, call)

  const idle = idleReason(compressor, plan, call, current)
  if (idle !== undefined) {
    if (idle !== 'waiting-for-growth') state.gate.block(current)
    const isAbove = current > threshold(compressor)
    return keptResult('unchanged', idle, before, tokens, isAbove ? [aboveTarget(plan, size, tokens)] : [])
  }
  const isFull = current >= contextLength * HYGIENE_SHARE
  const isCooling = model !== undefined && !force && state.cooldown.isCooling(clock.now())
  if (isCooling && !isFull) return keptResult('deferred', 'summariser-cooldown', before, tokens)

  const written = await writeBody({
    plan,
    call,
    profile,
    tokens,
    model: isCooling ? undefined : model,
    streak: state.cooldown.failures(),
    mustSummarize: force || isFull,
    memory: state.memory,
  })
  const { text, writer, failure } = written
  // A model that ignores its signal answers after the caller has gone: nothing of that is remembered.
  call.signal?.throwIfAborted()
  if (failure !== undefined) state.cooldown.failed(clock.now(), failure.cooldownMs)
  else if (writer === 'model') state.cooldown.succeeded()
  if (text === null)
    return keptResult('aborted', `summariser-${failure?.kind}`, before, tokens, written.warnings)

  const after = assembleProjection({
    boundaries: plan.boundaries,
    tail: plan.tail.messages,
    summary: text,
    systemNote: profile.systemNote,
  })
  const warnings = [...written.warnings, ...fewerProtected(plan, profile)]
  const result = { before, after, tokens, reason: REASONS[writer], warnings, summary: describePlan(plan) }
  return settle(compressor, { call, plan, current }, compactedResult(result))
}

/** Remembers what a compaction came to, and at which sizes the next one would be useless. */
function settle(
  compressor: Compressor,
  { call, plan, current }: { call: CompressCall; plan: CompactionPlan; current: number },
  result: CompressResult,
): CompressResult {
  const { profile, host, state } = compressor
  if (result.outcome !== 'compacted') {
    state.gate.block(current)
    return result
  }
  state.compacted(result, call, plan)
  if (result.tokensAfter < plan.room.target) return result
  // What must stay is too large: doing it all again for every message would only cost. Where a number of messages must
  // stay that is above the threshold, the window's limit is the next reason.
  const left = current - (result.tokensBefore - result.tokensAfter)
  const isOutOfReach = profile.lastNIsMinimum && left >= threshold(compressor)
  state.gate.block(left, isOutOfReach ? shareOfWindow(compressor, HYGIENE_SHARE) : 0)
  return { ...result, warnings: [...result.warnings, aboveTarget(plan, result.tokensAfter, host.tokens)] }
}
