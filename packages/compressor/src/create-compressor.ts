import {
  atOnce,
  type CompressCall,
  checkMessage,
  countMessages,
  createPause,
  type EngineHost,
  type EngineParts,
  HYGIENE_SHARE,
  inSlices,
  type Message,
  type Sliced,
} from '@palimpsest/core'
import { type Compaction, createCompaction } from '@palimpsest/core/summarizer'
import { assembleProjection } from './assemble-projection.ts'
import { createCompactionState } from './compaction-state.ts'
import { describePlan, fewerProtected, staying } from './describe-plan.ts'
import { type CompressorOptions, resolveProfile } from './options.ts'
import { type CompactionPlan, planCompaction } from './plan-compaction.ts'
import { writeBody } from './write-body.ts'

/** The parts of the compressor for one session: its plan and its writer. */
export function createCompressor(options: CompressorOptions, host: EngineHost): EngineParts {
  const { tokens } = host
  const profile = resolveProfile(options)
  const state = createCompactionState()

  const planFor = (messages: readonly Message[], call: Partial<CompressCall>): Sliced<CompactionPlan> =>
    planCompaction(messages, profile, tokens, state.told, {
      contextLength: compaction.contextLength,
      thresholdTokens: compaction.thresholdTokens,
      heldTokens: compaction.share(HYGIENE_SHARE),
      currentTokens: call.currentTokens,
      targetTokens: call.targetTokens,
      deep: state.isThrashing(),
      hasModel: host.model !== undefined,
    })

  const compaction: Compaction = createCompaction({
    host,
    threshold: () => compaction.share(profile.threshold, profile.thresholdFloor),
    trigger: () => (profile.threshold > 0 ? compaction.thresholdTokens : Number.POSITIVE_INFINITY),
    async plan(call) {
      const plan = await inSlices(planFor(call.readable, call))
      return {
        ...plan,
        resultTokens: countMessages(tokens, assembleProjection(plan, profile)) + plan.room.derived,
        leavingTokens: state.isSettled(call) ? 0 : plan.leavingTokens,
        targetTokens: plan.room.target,
        // Where a number of messages must stay that is above the threshold, the window's limit is the next reason.
        retryTokens: profile.lastNIsMinimum ? compaction.share(HYGIENE_SHARE) : 0,
        staying: () => staying(plan, tokens),
      }
    },
    async write(plan, call) {
      const { model, streak, mustSummarize } = call
      const { memory } = state
      const written = await writeBody({ plan, call, profile, tokens, model, streak, mustSummarize, memory })
      return call.summarised(written, (summary) => ({
        after: assembleProjection(plan, profile, summary),
        warnings: fewerProtected(plan, profile),
        summary: describePlan(plan),
      }))
    },
    compacted: (result, plan, call) => state.compacted(result, call, plan),
  })

  return {
    capabilities: ['summarizer'],
    get thresholdTokens() {
      return compaction.thresholdTokens
    },
    get contextLength() {
      return compaction.contextLength
    },
    shouldCompress: compaction.shouldCompress,
    compress: compaction.compress,
    async ingest({ messages, from }) {
      // A message is analysed once, when it arrives, for all later compactions.
      await state.memory.addInSlices(messages, from)
      const pause = createPause()
      for (const message of messages) {
        if (checkMessage(message).length === 0) tokens.countMessage(message)
        await pause()
      }
    },
    hasContentToCompress: (messages) => atOnce(planFor(messages, {})).leavingTokens > 0,
    updateModel(update) {
      compaction.updateModel(update)
      state.forgetSizes()
    },
    async onSessionReset() {
      compaction.reset()
      state.reset()
    },
  }
}
