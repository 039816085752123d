import {
  type CompressCall,
  type CompressResult,
  compactedResult,
  copyMessages,
  countMessages,
  createSerialQueue,
  DisposedError,
  type EngineHost,
  type EngineParts,
  freezeMessage,
  HYGIENE_SHARE,
  keptResult,
  type Message,
  redactSecrets,
  repairMessages,
  thresholdTokens,
} from '@palimpsest/core'
import { analyzeMessage, identifierAppendix } from '@palimpsest/extractive'
import { assembleProjection } from './assemble-projection.ts'
import { assertCompressible } from './assert-compressible.ts'
import { createCompactionState } from './compaction-state.ts'
import { aboveTarget, describePlan } from './describe-plan.ts'
import { keepUserMessages } from './keep-user-messages.ts'
import { type CompressorOptions, resolveProfile } from './options.ts'
import { type CompactionPlan, planCompaction } from './plan-compaction.ts'
import { redactMessage } from './redact-messages.ts'
import { formatSummaryBody, parseSummaryBody } from './summary-body.ts'
import { summaryTokens } from './token-room.ts'
import { writeSummary } from './write-summary.ts'

/** Less than this share of the target is not worth a summary, unless the user asks for it. */
const LEAST_MATERIAL_SHARE = 0.02

/** The parts of the compressor for one session. */
export function createCompressor(options: CompressorOptions, host: EngineHost): EngineParts {
  const profile = resolveProfile(options)
  const { tokens, clock, model } = host
  const state = createCompactionState()
  const enqueue = createSerialQueue()
  let contextLength = host.contextLength
  let disposed = false

  const threshold = () =>
    thresholdTokens({ contextLength, maxOutputTokens: host.maxOutputTokens, threshold: profile.threshold })

  const assertUsable = (): void => {
    if (disposed) throw new DisposedError('compressor')
  }

  const plan = (messages: readonly Message[], call: Omit<CompressCall, 'messages'>): CompactionPlan =>
    planCompaction(messages, profile, tokens, {
      contextLength,
      thresholdTokens: threshold(),
      currentTokens: call.currentTokens,
      targetTokens: call.targetTokens,
      deep: state.isThrashing(),
    })

  const compress = async (call: CompressCall): Promise<CompressResult> => {
    assertUsable()
    assertCompressible(call.messages)
    const { messages } = repairMessages(copyMessages(call.messages).map(freezeMessage), { inFlight: true })
    const before = call.messages
    const current = call.currentTokens ?? countMessages(tokens, before)
    const force = call.force === true
    if (
      !force &&
      model !== undefined &&
      state.isCooling(clock.now()) &&
      current < contextLength * HYGIENE_SHARE
    ) {
      return keptResult('deferred', 'summariser-cooldown', before, tokens)
    }

    const planned = plan(messages, call)
    if (
      planned.material.length === 0 ||
      (!force && planned.materialTokens < planned.room.target * LEAST_MATERIAL_SHARE)
    ) {
      state.block(current)
      const warnings =
        current > threshold() ? [aboveTarget(planned, countMessages(tokens, before), tokens)] : []
      const reason = planned.material.length === 0 ? 'nothing-to-compact' : 'too-little-to-compact'
      return keptResult('unchanged', reason, before, tokens, warnings)
    }

    const material = planned.material.map((message) => redactMessage(message))
    const earlier = parseSummaryBody(redactSecrets(planned.boundaries.previousSummary ?? ''))
    const written = await writeSummary({
      model: model !== undefined && state.isCooling(clock.now()) && !force ? undefined : model,
      messages: material,
      previousSummary: earlier.prose === '' ? undefined : earlier.prose,
      focusTopic: call.focusTopic,
      memoryContext: call.memoryContext,
      maxTokens: summaryTokens(planned.room, profile, planned.materialTokens),
      tokens,
      signal: call.signal,
      streak: state.failures(),
      mustSummarize: force || current >= contextLength * HYGIENE_SHARE,
    })
    if (written.failure !== undefined) state.failed(clock.now(), written.failure.cooldownMs)
    else if (written.writer === 'model') state.succeeded()
    if (written.text === null)
      return keptResult('aborted', `summariser-${written.failure?.kind}`, before, tokens, written.warnings)

    const userMessages = keepUserMessages(earlier.userMessages, material, planned.room.userMessages, tokens)
    const visible = formatSummaryBody({ prose: written.text, userMessages, identifiers: '' })
    const identifiers = identifierAppendix({
      messages: material,
      covered: visible,
      previousAppendix: earlier.identifiers,
      maxTokens: planned.room.identifiers,
      tokens,
    })
    const after = assembleProjection({
      boundaries: planned.boundaries,
      tail: planned.tail.messages,
      summary: formatSummaryBody({ prose: written.text, userMessages, identifiers }),
      systemNote: profile.systemNote,
    })
    const result = compactedResult({
      before,
      after,
      tokens,
      reason: written.writer === 'model' ? 'summarised' : 'summarised-without-model',
      warnings: [...written.warnings],
      summary: describePlan(planned),
    })
    return settle(result, planned, current)
  }

  /** Adds what a person must know about a result, and remembers it for the next decision. */
  const settle = (result: CompressResult, planned: CompactionPlan, current: number): CompressResult => {
    if (result.outcome !== 'compacted') {
      state.block(current)
      return result
    }
    state.compacted(result, planned.room.target)
    if (result.tokensAfter < planned.room.target) return result
    return { ...result, warnings: [...result.warnings, aboveTarget(planned, result.tokensAfter, tokens)] }
  }

  return {
    get thresholdTokens() {
      return threshold()
    },
    get contextLength() {
      return contextLength
    },
    shouldCompress: ({ promptTokens = 0 } = {}) =>
      promptTokens >= Math.max(threshold(), state.blockedBelow()),
    compress: (call) => enqueue(() => compress(call), call.signal),
    async ingest({ messages }) {
      assertUsable()
      // What a compaction needs to know of a message is found out once, when it arrives.
      for (const message of messages) {
        const redacted = redactMessage(message)
        analyzeMessage(redacted)
        tokens.countMessage(message)
      }
    },
    hasContentToCompress: (messages) => plan(messages, {}).material.length > 0,
    updateModel(update) {
      contextLength = update.contextLength
      state.reset()
    },
    async onSessionReset() {
      state.reset()
    },
    async dispose() {
      disposed = true
    },
  }
}
