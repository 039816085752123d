import {
  type CompressResult,
  checkSequence,
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
import {
  describeCompaction,
  reasonOf,
  replacedWarning,
  staying,
  storeWarning,
  writeWarnings,
} from './compaction-report.ts'
import type { CompactionWriter } from './compaction-writer.ts'
import type { ContextLedger, TakenList } from './context-ledger.ts'
import type { LcmSettings } from './options.ts'
import type { CompactionPlan as WindowPlan } from './plan-compaction.ts'
import { type RenderInput, renderContext } from './render-context.ts'
import { type ContextWindow, withFrontier } from './window.ts'

/** Less than this share of the room is not worth a summary, unless the user asks for it. */
const LEAST_SHARE = 0.02

export interface LcmCompactionInput {
  readonly host: EngineHost
  readonly settings: LcmSettings
  readonly ledger: ContextLedger
  readonly writer: CompactionWriter
  /** The options name no threshold. */
  readonly isDefaultThreshold: boolean
  readonly cooldown: ModelCooldown
  readonly queue: SerialQueue
  /** Summaries were written in the background: below the threshold they are shown, and no more are written. */
  takeReady(): boolean
}

interface LcmPlan extends CompactionPlan {
  readonly system: readonly Message[]
  readonly window: ContextWindow
  readonly place: TakenList['place']
  /** With what is to be written now. */
  readonly layout: WindowPlan
}

const NOTHING_WRITTEN: CompactedWindow = { nodes: [], created: [], failure: undefined }

/** Takes over what is new in the list of a call, plans, writes summaries, puts them in force, and shows the result. */
export function createLcmCompaction(input: LcmCompactionInput): Compaction {
  const { host, settings, ledger, cooldown, queue } = input
  // Without a model, nothing better than the messages themselves will take their place.
  const floorTokens = host.model === undefined && input.isDefaultThreshold ? THRESHOLD_FLOOR_TOKENS : 0
  const compaction: Compaction = createCompaction<LcmPlan>({
    host,
    cooldown,
    queue,
    threshold: () => compaction.share(settings.threshold, floorTokens),
    trigger: () => (settings.threshold > 0 ? compaction.thresholdTokens : Number.POSITIVE_INFINITY),
    plan: (call) => planCall(input, call, compaction.thresholdTokens),
    write: (plan, call) => writePlan(input, plan, call),
    compacted: (result, { place, window }) =>
      ledger.showed(result.messages, place === 'past' ? window : ledger.window),
  })
  return compaction
}

async function planCall(
  { ledger, writer, takeReady }: LcmCompactionInput,
  call: PlanCall,
  thresholdTokens: number,
): Promise<LcmPlan | CompressResult> {
  const { messages, origins, readable, force = false, promptTokens } = call
  const isReady = takeReady()
  const [first] = readable
  const system = isInstruction(first) ? [first] : []
  const { window, failure, place } = await ledger.take(messages, origins)
  const warnings: Warning[] = failure === undefined ? [] : [storeWarning(failure, ledger.unsaved)]
  const replaced = ledger.takeReplaced()
  if (replaced > 0) warnings.push(replacedWarning(replaced))
  if (window === undefined) return call.kept('aborted', 'store-unavailable', warnings)

  const { tokens } = writer
  const targetTokens = messageRoom({ ...call, tokens, thresholdTokens })
  const layout = writer.plan(window, targetTokens, system)
  const { available } = layout.limits
  const isSmall = layout.leavingTokens < available * LEAST_SHARE && !force
  // Messages behind an older list are summarised already: nothing is written for them again.
  const isWanted = place !== 'past' && (force || !isReady || promptTokens >= thresholdTokens)
  const plan = { system, window, place, layout: isSmall || !isWanted ? { ...layout, blocks: [] } : layout }
  return {
    ...plan,
    leavingTokens: layout.blocks.length > 0 && (isWanted || isSmall) ? layout.leavingTokens : 0,
    targetTokens,
    availableTokens: available,
    // Summaries that are too many to be shown are condensed, whatever leaves.
    isDue: isWanted && writer.isCrowded(window.nodes, layout),
    // Never too much: no message is summarised twice.
    resultTokens: 0,
    warnings,
    staying: () => staying({ system, window, layout }, tokens),
    written: {
      // After a start the host comes with all that was said: what was summarised before is often all that it takes.
      isFirst: place === 'behind' && !isReady && !force,
      async show() {
        return showWindow(call, plan, window, NOTHING_WRITTEN, writer)
      },
    },
  }
}

async function writePlan(
  { ledger, writer }: LcmCompactionInput,
  plan: LcmPlan,
  call: WriteCall,
): Promise<CompressResult> {
  const { window, layout, warnings = [] } = plan
  const { focusTopic, memoryContext, signal, mustSummarize: must, force = false } = call
  const { epoch } = ledger
  const result = await writer.underLease({ signal, must, version: window.version }, async (lease) => {
    const written = await writer.write({
      window,
      plan: layout,
      focusTopic,
      memoryContext,
      signal,
      must,
      force,
    })
    const { nodes, created, failure } = written
    if (nodes === null)
      return call.kept('aborted', `summariser-${failure?.kind}`, writeWarnings(written, writer.modelName))
    if (ledger.epoch !== epoch) return call.kept('deferred', 'history-changed')
    const next = withFrontier(window, nodes, created.length)
    const shown = showWindow(call, plan, next, written, writer)
    if (shown.outcome !== 'compacted') return shown
    const failed = await ledger.adopt(epoch, nodes, created, lease)
    if (ledger.epoch !== epoch) return call.kept('deferred', 'another-worker-was-faster')
    const isNews = failed !== undefined && !warnings.some(({ code }) => code.startsWith('store-'))
    return isNews ? { ...shown, warnings: [...shown.warnings, storeWarning(failed, ledger.unsaved)] } : shown
  })
  return result ?? call.kept('deferred', 'another-worker-compacts')
}

function renderInput(
  { messages }: PlanCall,
  { system, layout: { limits } }: Pick<LcmPlan, 'system' | 'layout'>,
  window: ContextWindow,
  { tokens }: CompactionWriter,
): RenderInput {
  const summaries = { records: limits.records, summaries: limits.summaries, tokens }
  // Calls at the end wait for their results, unless the host's list has them mended already.
  const inFlight =
    checkSequence(messages).length > 0 && repairMessages(messages).messages.length > messages.length
  return { leading: system, window, result: limits.result, summaries, inFlight }
}

function showWindow(
  call: PlanCall,
  plan: Pick<LcmPlan, 'system' | 'layout'>,
  window: ContextWindow,
  written: CompactedWindow,
  writer: CompactionWriter,
): CompressResult {
  const before = call.messages
  const context = renderContext(renderInput(call, plan, window, writer))
  // Broken calls at the end, which the host's list has mended: what is stored would end in another role than the list.
  if (context.messages.at(-1)?.role !== before.at(-1)?.role) return call.kept('unchanged', 'broken-end')
  return call.compacted({
    after: context.messages,
    reason: reasonOf(written),
    warnings: writeWarnings(written, writer.modelName),
    summary: describeCompaction(window, written),
  })
}
