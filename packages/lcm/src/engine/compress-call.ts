import {
  type CompressCall,
  type CompressResult,
  compactedResult,
  countMessages,
  type GrowthGate,
  HYGIENE_SHARE,
  isInstruction,
  keptResult,
  type Message,
  messageRoom,
  readMessages,
  repairMessages,
  type Warning,
} from '@palimpsest/core'
import type { CompactedWindow } from './compact-window.ts'
import {
  aboveTarget,
  describeCompaction,
  reasonOf,
  replacedWarning,
  storeWarning,
  writeWarnings,
} from './compaction-report.ts'
import type { CompactionWriter } from './compaction-writer.ts'
import type { ContextLedger } from './context-ledger.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import { renderContext } from './render-context.ts'
import { type ContextWindow, withFrontier } from './window.ts'

/** Less than this share of the room is not worth a summary, unless the user asks for it. */
const LEAST_SHARE = 0.02

export interface CompressCallParts {
  readonly ledger: ContextLedger
  readonly writer: CompactionWriter
  readonly gate: GrowthGate
  /** Prompt size from which a compaction is due, and the model's window, in tokens. */
  readonly thresholdTokens: number
  readonly contextLength: number
  /** Summaries were written in the background: below the threshold they are shown, and no more are written. */
  readonly isReady: boolean
}

const NOTHING_WRITTEN: CompactedWindow = { nodes: [], created: [], failure: undefined, partlyRead: [] }

/** Takes over what is new in the list of a call, plans, writes summaries, puts them in force, and shows the result. */
export async function compressCall(call: CompressCall, parts: CompressCallParts): Promise<CompressResult> {
  const { ledger, writer, gate } = parts
  const { tokens } = writer
  const { messages: before, origins, force = false, signal } = call
  const [first] = readMessages(before)
  const system = isInstruction(first) ? [first] : []
  const { window, failure, place = 'current' } = await ledger.take(before, origins)
  const warnings: Warning[] = failure === undefined ? [] : [storeWarning(failure, ledger.unsaved)]
  const replaced = ledger.takeReplaced()
  if (replaced > 0) warnings.push(replacedWarning(replaced))
  const kept = (
    outcome: 'aborted' | 'deferred' | 'unchanged',
    reason: string,
    more: readonly Warning[] = [],
  ) => keptResult(outcome, reason, before, tokens, [...warnings, ...more])
  if (window === undefined) return kept('aborted', 'store-unavailable')

  const current = call.currentTokens ?? countMessages(tokens, before)
  const room = messageRoom({ ...call, tokens, thresholdTokens: parts.thresholdTokens })
  const plan = writer.plan(window, room, system)
  const isSmall = plan.leavingTokens < plan.limits.available * LEAST_SHARE && !force
  // What came behind an older list is summarised already: nothing is written for it again.
  const isDue = place !== 'past' && (force || !parts.isReady || current >= parts.thresholdTokens)
  const blocks = isSmall || !isDue ? [] : plan.blocks

  const show = (next: ContextWindow, written: CompactedWindow): CompressResult =>
    showWindow({ before, system, next, plan, written, tokens, warnings, modelName: writer.modelName })
  const accept = (result: CompressResult, next: ContextWindow): CompressResult => {
    gate.clear()
    ledger.showed(result.messages, next)
    if (result.tokensAfter < room) return result
    // What must stay is too large: doing it all again for every message would only cost.
    gate.block(current - (result.tokensBefore - result.tokensAfter))
    const warning = aboveTarget({ system, window: next, plan, size: result.tokensAfter, room }, tokens)
    return { ...result, warnings: [...result.warnings, warning] }
  }

  // After a start the host comes with all that was said: what was summarised before is often all that it takes.
  if (place === 'behind' && !parts.isReady && !force) {
    const shown = show(window, NOTHING_WRITTEN)
    if (shown.outcome === 'compacted' && shown.tokensAfter < room) return accept(shown, window)
  }

  if (blocks.length === 0 && !(isDue && writer.isCrowded(window.nodes, plan))) {
    const shown = show(window, NOTHING_WRITTEN)
    if (shown.outcome === 'compacted') return accept(shown, window)
    gate.block(current)
    const isOver = current > parts.thresholdTokens
    const size = shown.tokensBefore
    const over = isOver ? [aboveTarget({ system, window, plan, size, room }, tokens)] : []
    return kept(
      'unchanged',
      isSmall && plan.blocks.length > 0 ? 'too-little-to-compact' : 'nothing-to-compact',
      over,
    )
  }

  const isFull = current >= parts.contextLength * HYGIENE_SHARE
  if (writer.isCooling() && !force && !isFull) return kept('deferred', 'summariser-cooldown')
  const { epoch } = ledger
  const must = force || isFull
  const result = await writer.underLease({ signal, must, version: window.version }, async (lease) => {
    const { focusTopic, memoryContext } = call
    const written = await writer.write({
      window,
      epoch,
      plan: { ...plan, blocks },
      focusTopic,
      memoryContext,
      signal,
      must,
      force,
    })
    if (written.nodes === null)
      return kept('aborted', `summariser-${written.failure?.kind}`, writeWarnings(written, writer.modelName))
    if (ledger.epoch !== epoch) return kept('deferred', 'history-changed')
    const next = withFrontier(window, written.nodes, written.created.length)
    const shown = show(next, written)
    if (shown.outcome !== 'compacted') {
      gate.block(current)
      return shown
    }
    const failed = await ledger.adopt(epoch, written.nodes, written.created, lease)
    if (ledger.epoch !== epoch) return kept('deferred', 'another-worker-was-faster')
    const accepted = accept(shown, next)
    if (failed === undefined || failure !== undefined) return accepted
    return { ...accepted, warnings: [...accepted.warnings, storeWarning(failed, ledger.unsaved)] }
  })
  return result ?? kept('deferred', 'another-worker-compacts')
}

interface ShowInput {
  readonly before: readonly Message[]
  readonly system: readonly Message[]
  readonly next: ContextWindow
  readonly plan: CompactionPlan
  readonly written: CompactedWindow
  readonly tokens: CompactionWriter['tokens']
  readonly warnings: readonly Warning[]
  readonly modelName: string | undefined
}

function showWindow({
  before,
  system,
  next,
  plan,
  written,
  tokens,
  warnings,
  modelName,
}: ShowInput): CompressResult {
  const { result } = plan.limits
  const summaries = { maxTokens: plan.limits.summaries, tokens }
  // Calls at the end wait for their results, unless the host's list has them mended already.
  const inFlight = repairMessages(before).messages.length > before.length
  const context = renderContext({ leading: system, window: next, result, summaries, inFlight })
  // Broken calls at the end, which the host's list has mended: what is stored would end in another role than the list.
  if (context.messages.at(-1)?.role !== before.at(-1)?.role)
    return keptResult('unchanged', 'broken-end', before, tokens, warnings)
  return compactedResult({
    before,
    after: context.messages,
    tokens,
    reason: reasonOf(written),
    warnings: [...warnings, ...writeWarnings(written, modelName)],
    summary: describeCompaction(next, written),
  })
}
