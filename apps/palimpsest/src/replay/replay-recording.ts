import { basename } from 'node:path'
import type { Clock, ContextSession, TokenCounter } from '@palimpsest/core'
import {
  createInspector,
  createWithoutMeter,
  type Inspector,
  type SessionView,
  type ViewBillMeter,
} from '@palimpsest/inspector'
import { createRequestClock } from '@palimpsest/prompt-caching'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import type { ReplayBill } from '../bill/replay-bill.ts'
import type { ChosenEngine } from '../engines/choose-engine.ts'
import { createSessionReader } from '../engines/readers/session-reader.ts'
import { shareStores } from '../serve/share-stores.ts'

interface ReplayRecording {
  /** The engine on stores that the page can read, too. */
  readonly engine: ChosenEngine
  /** The bill, which also prices the same requests without an engine. */
  readonly bill: ReplayBill
  /** The session to replay into instead. */
  watch(
    session: ContextSession,
    seen: { readonly profile: string | null; readonly clock: Clock },
  ): ContextSession
  view(): Promise<SessionView>
  close(): Promise<void>
}

interface ReplayRecordingInput {
  readonly engine: ChosenEngine
  readonly bill: ReplayBill
  /** The lifetime of breakpoints. */
  readonly ttl: '5m' | '1h'
  /** The file that is replayed. */
  readonly file: string
  readonly entries: readonly TranscriptEntry[]
  readonly sessionId: string
  /** By the recording; undefined when it does not say. */
  readonly model: string | undefined
  /** For people. */
  readonly summaries: string
  readonly tokens: TokenCounter
}

/** Records a replay for the page. */
export async function recordReplay(input: ReplayRecordingInput): Promise<ReplayRecording> {
  const { bill, sessionId, tokens, file, ttl, entries } = input
  const { definition, source, options } = input.engine
  const name = source === 'built-in' ? definition.name : ''
  const stores = await shareStores(name, options)
  const { pricing: prices } = bill.planner
  const clock = createRequestClock()
  const without = createWithoutMeter({ prices, tokens, clock, ttl })
  const meter: ViewBillMeter = {
    add: ({ transcript, hostTools }) => without.add(transcript, hostTools),
    get bill() {
      const { profile, uncached, sticky, cacheReadShare } = bill.report()
      const { model, asOf } = profile
      return { model, asOf, uncached, sticky, cacheReadShare, without: without.usd }
    },
  }
  let inspector: Inspector | undefined
  return {
    engine: { ...input.engine, options: stores.options },
    bill: {
      ...bill,
      start(recordedAt) {
        bill.start(recordedAt)
        clock.start(recordedAt)
      },
    },
    watch(session, { profile, clock: seen }) {
      inspector = createInspector({ tokens, clock: seen })
      return inspector.watch(session, {
        source: 'replay',
        title: basename(file),
        profile,
        prices,
        bill: meter,
        model: input.model ?? null,
        summaries: input.summaries,
        reader: createSessionReader(name, stores.options, sessionId),
      })
    },
    async view() {
      const view = await inspector?.view(sessionId)
      if (view === undefined) throw new Error('nothing was replayed yet')
      // A replay has one time for all that a request brings.
      const messages = view.messages.map((message) => {
        const at = message.seq === null ? undefined : entries[message.seq]?.timestamp
        return at === undefined ? message : { ...message, at }
      })
      return { ...view, messages }
    },
    close: stores.close,
  }
}
