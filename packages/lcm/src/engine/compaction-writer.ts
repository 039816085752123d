import type { EngineHost, Message, TokenCounter } from '@palimpsest/core'
import { boundMemory, type ModelCooldown } from '@palimpsest/core/summarizer'
import type { LcmSession, Lease } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { type CompactedWindow, compactWindow } from './compact-window.ts'
import type { LcmSettings } from './options.ts'
import { type CompactionPlan, planCompaction } from './plan-compaction.ts'
import { sizeOf } from './render-summaries.ts'
import { readableBlock } from './summarizer-room.ts'
import type { ContextWindow } from './window.ts'

/** How long a compaction may keep other workers from the same one, in milliseconds. */
const LEASE_MS = 300_000

export interface WriteInput {
  readonly window: ContextWindow
  readonly plan: CompactionPlan
  readonly focusTopic?: string | undefined
  readonly memoryContext?: string | undefined
  readonly signal: AbortSignal | undefined
  /** True when keeping everything is no way out: summaries must be made. */
  readonly must: boolean
  /** A model that is left alone after failures is asked all the same. */
  readonly force: boolean
}

/** Plans compactions and writes the summaries for them, with the host's model as long as it works. */
export interface CompactionWriter {
  readonly tokens: TokenCounter
  readonly modelName: string | undefined
  /** `room` is what the messages may take, in tokens. */
  plan(window: ContextWindow, room: number, system: readonly Message[]): CompactionPlan
  /** True when summaries have to be condensed for lack of room. */
  isCrowded(nodes: readonly SummaryNode[], plan: CompactionPlan): boolean
  /** True while the model is left alone after failures. */
  isCooling(): boolean
  write(input: WriteInput): Promise<CompactedWindow>
  /**
   * Does a piece of work while no other worker compacts this session; null when one does. Work that must be done is
   * done all the same: the frontier's version keeps writers apart.
   */
  underLease<T>(
    input: { readonly signal: AbortSignal | undefined; readonly must: boolean },
    work: (lease: Lease | undefined) => Promise<T>,
  ): Promise<T | null>
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
  const holder = globalThis.crypto.randomUUID()
  const isCooling = () => model !== undefined && cooldown.isCooling(clock.now())

  return {
    tokens,
    modelName: model?.name,
    isCooling,
    plan(window, room, system) {
      const maxBlock = readableBlock(model, settings.leaf_target_tokens) || Number.POSITIVE_INFINITY
      return planCompaction(window, { room, leading: system, settings, tokens, maxBlock })
    },
    isCrowded: (nodes, { limits }) => nodes.length > 1 && sizeOf(nodes) > limits.summaries,
    async write({ window, plan, focusTopic, memoryContext, signal, must, force }) {
      const quoted = tokens.countText(boundMemory(memoryContext ?? '')) + tokens.countText(focusTopic ?? '')
      const maxBlock = readableBlock(model, plan.limits.leaf, quoted)
      const isUsable = maxBlock > 0 && (force || !isCooling())
      const written = await compactWindow({
        window,
        plan,
        settings,
        model: isUsable ? model : undefined,
        maxBlock: maxBlock || Number.POSITIVE_INFINITY,
        tokens,
        clock,
        focusTopic,
        memoryContext,
        signal,
        streak: cooldown.failures(),
        must,
      })
      // A model that ignores its signal answers after the caller has gone: nothing of that is remembered.
      signal?.throwIfAborted()
      if (written.failure !== undefined) cooldown.failed(clock.now(), written.failure.cooldownMs)
      else if (written.created.some(({ writer }) => writer === 'model')) cooldown.succeeded()
      return written
    },
    async underLease({ signal, must }, work) {
      // Without a model there is nothing to pay twice, and the frontier's version keeps writers apart.
      if (model === undefined) return work(undefined)
      const now = clock.now()
      // A store that cannot be reached gives no lease; the commit finds out.
      const session = await open().catch(() => undefined)
      const lease = await session?.acquireLease({ holder, now, ttl: LEASE_MS }).catch(() => undefined)
      if (lease === null) return must ? work(undefined) : null
      try {
        signal?.throwIfAborted()
        return await work(lease)
      } finally {
        if (lease !== undefined) await session?.releaseLease(lease).catch(() => {})
      }
    },
  }
}
