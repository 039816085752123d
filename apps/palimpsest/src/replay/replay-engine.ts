import type { CompletionModel, TokenCounter } from '@palimpsest/core'
import type { SessionView } from '@palimpsest/inspector'
import type { Transcript } from '@palimpsest/transcripts'
import type { BillPrices } from '../bill/bill-prices.ts'
import { createReplayBill } from '../bill/replay-bill.ts'
import type { ChosenEngine, EngineFlags } from '../engines/choose-engine.ts'
import type { Configuration } from '../engines/configuration.ts'
import { openSession } from '../engines/open-session.ts'
import { withProgress } from '../progress.ts'
import { recordReplay } from './replay-recording.ts'
import { countRequests, type Replay, replaySession } from './replay-session.ts'
import type { ReplayStore } from './replay-store.ts'

/** A recording, and how it is replayed into whichever engine. */
export interface ReplayTask {
  readonly configuration: Configuration
  readonly file: string
  readonly transcript: Transcript
  /** The model's window, in tokens. */
  readonly window: number
  readonly prices: BillPrices
  readonly model: CompletionModel | undefined
  /** The same for people. */
  readonly summaries: string
  readonly focusTopic: string | undefined
  readonly tokens: TokenCounter
  /** Whether a page is to show it. */
  readonly isRecorded: boolean
}

interface EngineReplay {
  readonly engine: ChosenEngine
  readonly flags: EngineFlags
  /** The session in the engine's store that it goes into. Default: a new one in memory. */
  readonly store?: ReplayStore
  readonly label: string
  /** Default `replay`. */
  readonly sessionId?: string
}

/** Replays a recording into one engine. */
export async function replayEngine(
  task: ReplayTask,
  { engine: given, flags, store, label, ...input }: EngineReplay,
): Promise<Replay & { readonly view: SessionView | undefined }> {
  const { configuration, file, transcript, tokens, focusTopic, window, model, prices } = task
  const { compression, prompt_caching } = configuration.config
  const { cache_ttl: setting, strategy } = prompt_caching
  const sessionId = store?.sessionId ?? input.sessionId ?? 'replay'
  const plain = {
    engine: store?.engine ?? given,
    bill: createReplayBill({ prices, setting, strategy, tokens, model }),
  }
  const { entries, model: recordedModel } = transcript
  const about = { file, entries, sessionId, model: recordedModel, summaries: task.summaries, tokens }
  const ttl = setting === 'off' ? '5m' : setting
  const recording = task.isRecorded ? await recordReplay({ ...plain, ...about, ttl }) : undefined
  const { engine, bill } = recording ?? plain
  try {
    const replay = await withProgress(label, 'requests', (onProgress) => {
      const total = countRequests(transcript, store?.stored)
      return replaySession({
        transcript,
        open: async (parts) => {
          const { session, chosen } = await openSession(configuration, flags, engine, parts)
          for (const { message } of chosen.warnings) process.stderr.write(`palimpsest: ${message}\n`)
          const profile = profileOf(chosen)
          const clock = parts.clock ?? { now: Date.now }
          const watched = recording?.watch(session, { profile, clock }) ?? session
          return { session: watched, profile, warnings: chosen.warnings }
        },
        ...{ window, enabled: compression.enabled, compactAt: prompt_caching.compact_at },
        ...{ bill, focusTopic, tokens, sessionId },
        ...(store !== undefined && { startedAt: store.startedAt, stored: store.stored }),
        onProgress: (done) => onProgress(done, total),
      })
    })
    return { ...replay, view: await recording?.view() }
  } finally {
    await recording?.close()
  }
}

function profileOf({ options: { profile } }: ChosenEngine): string | null {
  return typeof profile === 'string' ? profile : null
}
