import {
  type CompressResult,
  type ConversationLog,
  checkSequence,
  createPause,
  type EngineHost,
  isInstruction,
  type Message,
  messageRoom,
  repairMessages,
  type SerialQueue,
  THRESHOLD_FLOOR_TOKENS,
  type Warning,
} from '@palimpsest/core'
import {
  type Compaction,
  type CompactionPlan,
  createCompaction,
  type ModelCooldown,
  type PlanCall,
  type WriteCall,
} from '@palimpsest/summaries'
import type { CompactedWindow } from './compact-window.ts'
import { describeCompaction, reasonOf, staying, storeWarning, writeWarnings } from './compaction-report.ts'
import type { CompactionWriter } from './compaction-writer.ts'
import type { FrontierKeeper } from './frontier-keeper.ts'
import type { LcmSettings } from './options.ts'
import type { CompactionPlan as WindowPlan } from './plan-compaction.ts'
import { renderContext } from './render-context.ts'
import { type ContextWindow, underSummaries } from './window.ts'

/** A smaller gain than this share of the room is not worth a summary, unless the user asks. */
const LEAST_SHARE = 0.02

export interface LcmCompactionInput {
  readonly host: EngineHost
  readonly log: ConversationLog
  readonly settings: LcmSettings
  readonly keeper: FrontierKeeper
  readonly writer: CompactionWriter
  readonly isDefaultThreshold: boolean
  readonly cooldown: ModelCooldown
  readonly queue: SerialQueue
  /** True if summaries were written in the background. Below the threshold they are shown and no others are written. */
  takeReady(): boolean
}

interface LcmPlan extends CompactionPlan {
  readonly system: readonly Message[]
  readonly window: ContextWindow
  readonly epoch: number
  readonly layout: WindowPlan
}

const NOTHING_WRITTEN: CompactedWindow = {
  summaries: [],
  created: [],
  failure: undefined,
  written: { count: 0, read: 0, tokens: 0 },
}

export function createLcmCompaction(input: LcmCompactionInput): Compaction {
  const { host, settings, cooldown, queue } = input
  // Without a model, a summary is worse than the messages, so compact later.
  const floorTokens = host.model === undefined && input.isDefaultThreshold ? THRESHOLD_FLOOR_TOKENS : 0
  const compaction: Compaction = createCompaction<LcmPlan>({
    host,
    cooldown,
    queue,
    threshold: () => compaction.share(settings.threshold, floorTokens),
    trigger: () => (settings.threshold > 0 ? compaction.thresholdTokens : Number.POSITIVE_INFINITY),
    plan: (call) => planCall(input, call, compaction.thresholdTokens),
    write: (plan, call) => writePlan(input, plan, call),
  })
  return compaction
}

async function planCall(
  { log, keeper, writer, takeReady }: LcmCompactionInput,
  call: PlanCall,
  thresholdTokens: number,
): Promise<LcmPlan | CompressResult> {
  const { messages, readable, force = false, promptTokens } = call
  const { tokens } = writer
  const pause = createPause()
  const targetTokens = messageRoom({ ...call, tokens, thresholdTokens })
  await pause()
  const isReady = takeReady()
  const [first] = readable
  const system = isInstruction(first) ? [first] : []
  const failure = await keeper.sync()
  const isInMemory = failure !== undefined || (log.unsaved > 0 && !log.isDetached)
  const warnings: Warning[] = isInMemory ? [storeWarning(failure)] : []
  // The log may be longer than the call's list.
  const window = keeper.window(lastOf(messages, log))
  if (keeper.isBehind || (window.tail.length === 0 && window.summaries.length > 0))
    return call.kept('deferred', 'another-worker-was-faster', warnings)
  const { epoch } = keeper

  const layout = writer.plan(window, targetTokens, system)
  const { available } = layout.limits
  const isSmall = layout.leavingTokens < available * LEAST_SHARE && !force
  const isWanted = force || !isReady || promptTokens >= thresholdTokens
  const plan = { system, window, epoch, layout: isSmall || !isWanted ? { ...layout, blocks: [] } : layout }
  return {
    ...plan,
    leavingTokens: layout.blocks.length > 0 && (isWanted || isSmall) ? layout.leavingTokens : 0,
    targetTokens,
    availableTokens: available,
    isDue: isWanted && writer.isCrowded(window.summaries, layout),
    resultTokens: 0,
    warnings,
    staying: () => staying({ system, window, layout }, tokens),
    written: {
      // The list shows messages that summaries cover, as after an undo. Showing the summaries is often enough.
      isFirst: showsCovered(messages, window, log) && !isReady && !force,
      show: async () => showWindow(call, plan, window, NOTHING_WRITTEN, writer),
    },
  }
}

function lastOf(messages: readonly Message[], log: ConversationLog): number | undefined {
  const last = messages.findLast(({ id = '' }) => log.find(id) !== undefined)
  return log.find(last?.id ?? '')?.seq
}

function showsCovered(
  messages: readonly Message[],
  { leading, summaries, request }: ContextWindow,
  log: ConversationLog,
): boolean {
  const first = leading.at(-1)?.seq ?? -1
  const last = summaries.at(-1)?.last
  if (last === undefined) return false
  return messages.some(({ id }) => {
    const seq = id === undefined ? undefined : log.find(id)?.seq
    return seq !== undefined && seq > first && seq <= last && seq !== request?.seq
  })
}

async function writePlan(
  { keeper, writer }: LcmCompactionInput,
  plan: LcmPlan,
  call: WriteCall,
): Promise<CompressResult> {
  const { window, layout, epoch, warnings = [] } = plan
  const { focusTopic, memoryContext, signal, mustSummarize: must, force = false } = call
  const { nextSummary } = keeper
  const pause = createPause()
  const asked = { window, nextSummary, plan: layout, focusTopic, memoryContext, signal, must, force }
  const written = await writer.write(asked)
  const { summaries, created, failure } = written
  if (summaries === null)
    return call.kept('aborted', `summariser-${failure?.kind}`, writeWarnings(written, writer.modelName))
  await pause()
  if (keeper.epoch !== epoch) return call.kept('deferred', 'history-changed')
  const shown = showWindow(call, plan, underSummaries(window, summaries), written, writer)
  if (shown.outcome !== 'compacted') return shown
  await pause()
  const failed = await keeper.adopt(epoch, summaries, created)
  if (keeper.epoch !== epoch) return call.kept('deferred', 'another-worker-was-faster')
  if (failed === undefined || warnings.length > 0) return shown
  return { ...shown, warnings: [...shown.warnings, storeWarning(failed)] }
}

function showWindow(
  call: PlanCall,
  { system, layout: { limits } }: Pick<LcmPlan, 'system' | 'layout'>,
  window: ContextWindow,
  written: CompactedWindow,
  { tokens, modelName }: CompactionWriter,
): CompressResult {
  const before = call.messages
  // Calls at the end wait for their results, unless the host has repaired them already.
  const inFlight = checkSequence(before).length > 0 && repairMessages(before).messages.length > before.length
  const { messages } = renderContext({
    leading: system,
    window,
    result: limits.result,
    summaries: { records: limits.records, summaries: limits.summaries, tokens },
    inFlight,
  })
  // The host repaired broken calls at the end, so the stored list would end in another role.
  if (messages.at(-1)?.role !== before.at(-1)?.role) return call.kept('unchanged', 'broken-end')
  return call.compacted({
    after: messages,
    reason: reasonOf(written),
    warnings: writeWarnings(written, modelName),
    summary: describeCompaction(window, written),
  })
}
