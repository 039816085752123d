import { basename } from 'node:path'
import type { Clock, CompletionModel, ContextSession, Store, TokenCounter } from '@palimpsest/core'
import { createInspector, type Inspector, type SessionView } from '@palimpsest/inspector'
import type { Transcript, TranscriptEntry } from '@palimpsest/transcripts'
import type { BillPrices } from '../bill/bill-prices.ts'
import { createReplayBill, type ReplayBill } from '../bill/replay-bill.ts'
import type { ChosenEngine, EngineFlags } from '../engines/choose-engine.ts'
import type { Configuration } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { openSession } from '../engines/open-session.ts'
import { createSessionReader } from '../engines/session-reader.ts'
import { withProgress } from '../progress.ts'
import { openStore } from '../stores/open-store.ts'
import { countRequests, type Replay, replaySession } from './replay-session.ts'
import type { ReplayStore } from './replay-store.ts'

export interface ReplayTask {
  readonly configuration: Configuration
  readonly file: string
  readonly transcript: Transcript
  readonly window: number
  readonly prices: BillPrices
  readonly model: CompletionModel | undefined
  readonly reader?: CompletionModel | undefined
  readonly summaries: string
  readonly tokens: TokenCounter
  /** In milliseconds since the epoch. Default 0. */
  readonly startedAt?: number
  readonly isRecorded: boolean
}

interface EngineReplay {
  readonly engine: ChosenEngine
  readonly flags: EngineFlags
  readonly target?: ReplayStore
  readonly label: string
  readonly sessionId?: string
}

export async function replayEngine(
  task: ReplayTask,
  { engine: given, flags, target, label, sessionId = 'replay' }: EngineReplay,
): Promise<Replay & { readonly view: SessionView | undefined }> {
  const { configuration, file, transcript, tokens, window, model, prices } = task
  const { compression, prompt_caching } = configuration.config
  const { cache_ttl: setting, strategy } = prompt_caching
  const bill = createReplayBill({ prices, setting, strategy, tokens })
  const engine = withReader(given, task.reader && bill.metered(task.reader))
  const { store, principal, ...kept } = target ?? {
    store: await openStore(undefined),
    principal: configuration.config.store.principal,
    sessionId,
    stored: 0,
    startedAt: task.startedAt ?? 0,
  }
  const { entries, model: recordedModel } = transcript
  const about = {
    file,
    entries,
    sessionId: kept.sessionId,
    model: recordedModel,
    summaries: task.summaries,
    tokens,
  }
  const recording = task.isRecorded ? recordReplay({ engine, bill, ...about, store, principal }) : undefined
  try {
    const replay = await withProgress(label, (onProgress) => {
      const total = countRequests(transcript, kept.stored)
      return replaySession({
        transcript,
        open: async (parts) => {
          const own = { ...parts, store, principal }
          const { session, chosen } = await openSession(configuration, flags, engine, own)
          for (const { message } of chosen.warnings) process.stderr.write(`palimpsest: ${message}\n`)
          const profile = profileOf(chosen)
          const clock = parts.clock ?? { now: Date.now }
          const watched = recording?.watch(session, clock) ?? session
          return { session: watched, profile, warnings: chosen.warnings }
        },
        window,
        enabled: compression.enabled,
        bill,
        model,
        tokens,
        ...kept,
        onProgress: (done) => onProgress(done, total),
      })
    })
    return { ...replay, view: await recording?.view() }
  } finally {
    if (target === undefined) await store.close()
  }
}

function withReader(engine: ChosenEngine, reader: CompletionModel | undefined): ChosenEngine {
  if (reader === undefined || engine.definition.name !== DECISIONS) return engine
  return { ...engine, options: { ...engine.options, extraction_model: reader } }
}

function profileOf({ options: { profile } }: ChosenEngine): string | null {
  return typeof profile === 'string' ? profile : null
}

interface ReplayRecordingInput {
  readonly engine: ChosenEngine
  readonly bill: ReplayBill
  readonly file: string
  readonly entries: readonly TranscriptEntry[]
  readonly store: Store
  readonly principal: string
  readonly sessionId: string
  readonly model: string | undefined
  readonly summaries: string
  readonly tokens: TokenCounter
}

function recordReplay(input: ReplayRecordingInput) {
  const { bill, store, principal, sessionId, tokens, file, entries } = input
  const { definition, source, options } = input.engine
  const engine = source === 'built-in' ? definition.name : ''
  let inspector: Inspector | undefined
  return {
    watch(session: ContextSession, seen: Clock): ContextSession {
      inspector = createInspector({ tokens, clock: seen })
      return inspector.watch(session, {
        source: 'replay',
        title: basename(file),
        prices: bill.prices,
        // The replay itself counts.
        bill: { ...bill, add() {}, compacted() {}, report() {} },
        model: input.model ?? null,
        summaries: input.summaries,
        reader: createSessionReader({ engine, options, store, principal, sessionId }),
      })
    },
    async view(): Promise<SessionView> {
      const view = await inspector?.view(sessionId)
      if (view === undefined) throw new Error('nothing was replayed yet')
      // A replay gives one time to all messages of a request.
      const messages = view.messages.map((message) => {
        const at = message.seq === null ? undefined : entries[message.seq]?.timestamp
        return at === undefined ? message : { ...message, at }
      })
      return { ...view, messages }
    },
  }
}
