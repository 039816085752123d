import type { EngineHost, Message, Summary, TokenCounter } from '@palimpsest/core'
import type { ModelCooldown } from '@palimpsest/summaries'
import { type CompactedWindow, compactWindow, isCrowded, type WrittenSummaries } from './compact-window.ts'
import type { LcmSettings } from './options.ts'
import { type CompactionPlan, planCompaction } from './plan-compaction.ts'
import type { ContextWindow } from './window.ts'

interface WriteInput {
  readonly window: ContextWindow
  readonly nextSummary: number
  readonly plan: CompactionPlan
  readonly focusTopic?: string | undefined
  readonly memoryContext?: string | undefined
  readonly signal: AbortSignal | undefined
  readonly must: boolean
  readonly force: boolean
  readonly most?: number
}

export interface CompactionWriter {
  readonly tokens: TokenCounter
  readonly modelName: string | undefined
  readonly written: WrittenSummaries
  plan(window: ContextWindow, room: number, system: readonly Message[]): CompactionPlan
  isCrowded(summaries: readonly Summary[], plan: CompactionPlan): boolean
  isCooling(): boolean
  write(input: WriteInput): Promise<CompactedWindow>
}

interface CompactionWriterInput {
  readonly host: EngineHost
  readonly settings: LcmSettings
  readonly cooldown: ModelCooldown
}

export function createCompactionWriter({
  host,
  settings,
  cooldown,
}: CompactionWriterInput): CompactionWriter {
  const { tokens, clock, model } = host
  const all = { count: 0, read: 0, tokens: 0 }
  const isCooling = () => model !== undefined && cooldown.isCooling(clock.now())

  return {
    tokens,
    modelName: model?.name,
    get written() {
      return { ...all }
    },
    isCooling,
    plan: (window, room, system) =>
      planCompaction(window, { room, leading: system, settings, tokens, hasModel: model !== undefined }),
    isCrowded: (summaries, plan) => isCrowded(summaries, plan, tokens),
    async write({ force, most = Infinity, ...input }) {
      const written = await compactWindow({
        ...{ focusTopic: undefined, memoryContext: undefined, ...input, tokens, clock, most },
        model: force || !isCooling() ? model : undefined,
        streak: cooldown.failures(),
      })
      all.count += written.written.count
      all.read += written.written.read
      all.tokens += written.written.tokens
      // A model that ignores its signal may answer after the caller has left; drop that answer.
      input.signal?.throwIfAborted()
      if (written.failure !== undefined) cooldown.failed(clock.now(), written.failure.cooldownMs)
      else if (written.created.some(({ writer }) => writer === 'model')) cooldown.succeeded()
      return written
    },
  }
}
