import {
  type CompletionModel,
  createPause,
  type EngineHost,
  type Message,
  type Sliced,
  type TokenCounter,
} from '@palimpsest/core'
import { boundMemory, type ModelCooldown } from '@palimpsest/core/summarizer'
import { createIdentifierMemory, worthReading } from '@palimpsest/extractive'
import type { LcmSession } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { type CompactedWindow, compactWindow, isCrowded } from './compact-window.ts'
import { type CompactionLease, createCompactionLease } from './compaction-lease.ts'
import type { LcmSettings } from './options.ts'
import { type CompactionPlan, planCompaction } from './plan-compaction.ts'
import { nodeRoom } from './summarizer-room.ts'
import type { ContextWindow } from './window.ts'

export interface WriteInput {
  readonly window: ContextWindow
  /** Of the ledger that the window is from: with another one, messages that were known may be others. */
  readonly epoch: number
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
  const memory = createIdentifierMemory()
  let all: WrittenSummaries = { count: 0, tokens: 0, read: 0 }
  let remembered = { epoch: 0, next: 0 }
  /** Every message passes through the tail before it is summarised. After a restart, what is older is known from summaries. */
  const remember = async ({ tail }: ContextWindow, epoch: number): Promise<void> => {
    const pause = createPause()
    // The host took something back, or the window was read again: the memory cuts itself at the first message of the tail.
    if (epoch !== remembered.epoch) remembered = { epoch, next: 0 }
    const fresh = tail.filter(({ seq }) => seq >= remembered.next)
    const read = new Set(worthReading(fresh.map(({ message }) => message)))
    for (const { message, seq } of fresh) {
      await pause()
      memory.add(read.has(message) ? [message] : [], seq)
      remembered = { epoch, next: seq + 1 }
    }
  }
  const isCooling = () => model !== undefined && cooldown.isCooling(clock.now())
  const readable = (target: number) => nodeRoom(model, target).block

  return {
    tokens,
    modelName: model?.name,
    get written() {
      return all
    },
    isCooling,
    plan: (window, room, system) =>
      planCompaction(window, { room, leading: system, settings, tokens, readable }),
    isCrowded: (nodes, plan) => isCrowded(nodes, plan, tokens),
    async write({ window, epoch, plan, focusTopic, memoryContext, signal, must, force, most = Infinity }) {
      await remember(window, epoch)
      const quoted = tokens.countText(boundMemory(memoryContext ?? '')) + tokens.countText(focusTopic ?? '')
      const { limits } = plan
      const node = nodeRoom(model, Math.max(limits.prose.leaf, limits.prose.condensed), quoted)
      const isUsable = !node.isTooSmall && (force || !isCooling())
      const stop = AbortSignal.any([signal, lease.lost].filter((one) => one !== undefined))
      const written = await compactWindow({
        window,
        plan,
        settings,
        model: isUsable ? leased : undefined,
        node,
        tokens,
        clock,
        focusTopic,
        memoryContext,
        signal: stop,
        streak: cooldown.failures(),
        must,
        most,
        memory,
      })
      all = withWritten(all, window.nodes, written.created)
      // A model that ignores its signal answers after the caller has gone: nothing of that is remembered.
      stop.throwIfAborted()
      if (written.failure !== undefined) cooldown.failed(clock.now(), written.failure.cooldownMs)
      else if (written.created.some(({ writer }) => writer === 'model')) cooldown.succeeded()
      if (!node.isTooSmall || model?.contextLength === undefined) return written
      return { ...written, tooSmall: { window: model.contextLength, needed: node.leastWindow } }
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

/** The model, asked only while this worker has the lease. */
function askedUnder(lease: CompactionLease, model: CompletionModel): CompletionModel {
  return {
    name: model.name,
    async complete(call) {
      await lease.renew()
      call.signal?.throwIfAborted()
      return model.complete(call)
    },
  }
}
