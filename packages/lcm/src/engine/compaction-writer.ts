import type { CompletionModel, EngineHost, Message, Sliced, TokenCounter } from '@palimpsest/core'
import type { ModelCooldown } from '@palimpsest/summaries'
import type { LcmSession } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { type CompactedWindow, compactWindow, isCrowded } from './compact-window.ts'
import { type CompactionLease, createCompactionLease, RENEW_MS } from './compaction-lease.ts'
import type { LcmSettings } from './options.ts'
import { type CompactionPlan, planCompaction } from './plan-compaction.ts'
import type { ContextWindow } from './window.ts'

export interface WriteInput {
  readonly window: ContextWindow
  readonly plan: CompactionPlan
  readonly focusTopic?: string | undefined
  readonly memoryContext?: string | undefined
  readonly signal: AbortSignal | undefined
  readonly must: boolean
  /** A model that is left alone after failures is asked all the same. */
  readonly force: boolean
  readonly most?: number
}

/** Summaries written since the engine began, whether or not they are in force. */
export interface WrittenSummaries {
  readonly count: number
  readonly tokens: number
  /** Tokens of what they stand for: messages, and of condensed ones the summaries below. */
  readonly read: number
}

/** Plans compactions and writes the summaries for them, with the host's model as long as it works. */
export interface CompactionWriter {
  readonly tokens: TokenCounter
  readonly modelName: string | undefined
  readonly written: WrittenSummaries
  /** `room` is what the messages may take, in tokens. */
  plan(window: ContextWindow, room: number, system: readonly Message[]): Sliced<CompactionPlan>
  isCrowded(nodes: readonly SummaryNode[], plan: CompactionPlan): boolean
  isCooling(): boolean
  write(input: WriteInput): Promise<CompactedWindow>
  /** Without a model there is nothing to pay twice: then the work is done without a lease. */
  readonly underLease: CompactionLease['run']
}

export interface CompactionWriterInput {
  readonly host: EngineHost
  readonly settings: LcmSettings
  readonly cooldown: ModelCooldown
  readonly open: () => Promise<LcmSession>
}

export function createCompactionWriter({
  host,
  settings,
  cooldown,
  open,
}: CompactionWriterInput): CompactionWriter {
  const { tokens, clock, model } = host
  const lease = createCompactionLease({ open, clock })
  const leased = model && askedUnder(lease, model)
  let all: WrittenSummaries = { count: 0, tokens: 0, read: 0 }
  const isCooling = () => model !== undefined && cooldown.isCooling(clock.now())

  return {
    tokens,
    modelName: model?.name,
    get written() {
      return all
    },
    isCooling,
    plan: (window, room, system) =>
      planCompaction(window, { room, leading: system, settings, tokens, hasModel: model !== undefined }),
    isCrowded: (nodes, plan) => isCrowded(nodes, plan, tokens),
    async write({ window, plan, focusTopic, memoryContext, signal, must, force, most = Infinity }) {
      const stop = AbortSignal.any([signal, lease.lost].filter((one) => one !== undefined))
      const written = await compactWindow({
        window,
        plan,
        settings,
        model: force || !isCooling() ? leased : undefined,
        tokens,
        clock,
        focusTopic,
        memoryContext,
        signal: stop,
        streak: cooldown.failures(),
        must,
        most,
      })
      all = withWritten(all, window.nodes, written.created)
      // A model that ignores its signal answers after the caller has gone: nothing of that is remembered.
      stop.throwIfAborted()
      if (written.failure !== undefined) cooldown.failed(clock.now(), written.failure.cooldownMs)
      else if (written.created.some(({ writer }) => writer === 'model')) cooldown.succeeded()
      return written
    },
    underLease: (input, work) => (model === undefined ? work(undefined) : lease.run(input, work)),
  }
}

function withWritten(
  all: WrittenSummaries,
  known: readonly SummaryNode[],
  created: readonly SummaryNode[],
): WrittenSummaries {
  const sizes = new Map([...known, ...created].map(({ number, tokens }) => [number, tokens]))
  let { count, tokens, read } = all
  for (const node of created) {
    count++
    tokens += node.tokens
    if (node.children.length === 0) read += node.sourceTokens
    for (const child of node.children) read += sizes.get(child) ?? 0
  }
  return { count, tokens, read }
}

/** The model, asked only while this worker has the lease, which is prolonged while it writes. */
function askedUnder(lease: CompactionLease, model: CompletionModel): CompletionModel {
  return {
    name: model.name,
    ...(model.contextLength !== undefined && { contextLength: model.contextLength }),
    async complete(call) {
      await lease.renew()
      call.signal?.throwIfAborted()
      const renewal = setInterval(() => lease.renew().catch(() => {}), RENEW_MS)
      try {
        return await model.complete(call)
      } finally {
        clearInterval(renewal)
      }
    },
  }
}
