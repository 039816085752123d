import { type Clock, errorText, type Message, redactSecrets, type TokenCounter } from '@palimpsest/core'
import type { Gateway } from '@palimpsest/gateway'
import {
  createStoredView,
  type Inspector,
  type StoredSessions,
  type ViewSummary,
} from '@palimpsest/inspector'
import { OFFLINE_SUMMARIES } from '../models/find-summary-model.ts'
import type { PromptCache } from '../prompt-cache.ts'
import { version } from '../version.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { createConversations } from './create-conversations.ts'
import type { Metrics } from './create-metrics.ts'
import { createApp } from './http/create-app.ts'
import { listen, stopListening } from './http/listen.ts'
import { watchCalls } from './http/watch-calls.ts'
import { meterChat, meterCompletion, type NoteCall } from './models/meter.ts'
import { createOfflineAnswerer, OFFLINE_NOTICE } from './models/offline-answerer.ts'
import type { ServiceModels } from './models/service-models.ts'
import { SERVE_DEFAULTS } from './serve-defaults.ts'
import type { ServiceEngine } from './service-engine.ts'
import { type ConversationRecord, engineKey, type ServiceStore } from './store/service-store.ts'
import { type StoreState, watchStores } from './watch-stores.ts'

export interface ServiceInput {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  readonly token: string | undefined
  readonly store: ServiceStore
  /** Whether the store outlives the process. */
  readonly durable: boolean
  readonly engine: ServiceEngine
  readonly models: ServiceModels
  /** That of the model that answers. */
  readonly promptCache: PromptCache
  /** Shows conversations while they run. */
  readonly inspector: Inspector
  readonly metrics: Metrics
  /** Forwards to another service; it is closed with this one. */
  readonly gateway?: Gateway
  readonly tokens: TokenCounter
  /** The model's window, in tokens. */
  readonly window: number
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Replaces some of `SERVE_DEFAULTS`. */
  readonly limits?: Partial<Record<keyof typeof SERVE_DEFAULTS, number>>
}

/** A service that listens. */
export interface Service {
  /** With the real port. */
  readonly url: string
  readonly port: number
  /** The health of all stores. */
  storeStates(): Promise<StoreState[]>
  /**
   * Stops listening, lets what is being answered finish within the limit, and closes everything: its store and its
   * engine too.
   */
  close(): Promise<void>
}

/** Milliseconds for sending answers that are ready when the service stops. */
const SEND_LIMIT = 500
/** The interval at which idle conversations are looked for, in milliseconds. */
const SWEEP_INTERVAL = 30_000

/** Puts the parts together and listens. */
export async function startService(input: ServiceInput): Promise<Service> {
  const { host, port, token, store, durable, engine, models, inspector, metrics, gateway, clock } = input
  const log = (line: string) => input.log(redactSecrets(line).replaceAll(/\s+/g, ' '))
  const limits = { ...SERVE_DEFAULTS, ...input.limits }
  const conversations = createConversations({
    ...{ store, isKnown: engine.knows, clock, limits },
    open: (record, signal) => openWatched({ ...input, log }, record, signal),
  })
  inspector.remember(storedSessions(input))
  metrics.show({ service: conversations, gateway })
  // Its lines hold nothing of a conversation; the name of a session looks like a cookie.
  const watch = watchCalls({ metrics, timeLimit: limits.timeLimit, log: input.log, now: clock.now })
  const sessions = { name: 'sessions', kind: store.kind, check: () => store.check() }
  const storeStates = watchStores([sessions, ...engine.stores], limits.healthLimit, log)
  const facts = { version, engine: engine.name, offline: models.answer === undefined, durable }
  const app = createApp({
    ...{ inspector, conversations, store, watch, metrics, engine, storeStates, facts, gateway, token, log },
    bodyLimit: limits.bodyLimit,
  })

  const { server, port: actual, url } = await listen(app, port, host)
  const sweep = setInterval(
    () => conversations.unloadIdle().catch((error) => log(`error: ${errorText(error)}`)),
    SWEEP_INTERVAL,
  )

  const shutDown = async (): Promise<void> => {
    clearInterval(sweep)
    const endConnections = stopListening(server)
    inspector.close()
    await Promise.all([watch.drain(limits.shutdownLimit), gateway?.close(limits.shutdownLimit)])
    try {
      await conversations.close()
    } finally {
      await engine.close()
      await store.close()
      await endConnections(SEND_LIMIT)
    }
  }
  let closing: Promise<void> | undefined
  return {
    url,
    port: actual,
    storeStates,
    close() {
      closing ??= shutDown()
      return closing
    },
  }
}

/** Brings a conversation into memory, metered and shown on the page. */
async function openWatched(
  { store, engine, models, inspector, promptCache, tokens, clock, log }: ServiceInput,
  record: ConversationRecord,
  signal: AbortSignal,
): Promise<Conversation> {
  // The answer is there: it counts, whether it can be counted or not.
  const note: NoteCall = (call) =>
    store.addCost(record.no, call).catch((error) => log(`error: ${errorText(error)}`))
  const { answer, extraction, compaction } = models
  const key = engineKey(record)
  const cache = promptCache.createPlanner()
  const projection = await store.projection(record.no)
  const metered = {
    ...(extraction && { extraction: meterCompletion(extraction, 'extraction', note) }),
    ...(compaction && { compaction: meterCompletion(compaction, 'compaction', note) }),
  }
  const own = await engine.open(key, metered, {
    ...{ modelName: answer?.name, restored: projection },
    ...(cache !== undefined && { cache }),
  })
  own.subscribe((event) => {
    if (event.type === 'warning' && event.warning.code === 'restored-ignored')
      log(`warning: ${event.warning.message} (session "${record.session}")`)
  })
  const session = inspector.watch(own, {
    ...{ source: 'service', title: key, profile: engine.profile, model: answer?.name ?? null },
    summaries: compaction?.name ?? OFFLINE_SUMMARIES,
    ...(promptCache.prices && { prices: promptCache.prices }),
    reader: engine.reader(key),
  })
  try {
    return await openConversation(
      {
        ...{ record, store, session, projection, promptCache, tokens, clock },
        assertSame: (messages) => engine.assertSame(key, messages),
        model: answer === undefined ? createOfflineAnswerer() : meterChat(answer, note),
        notice: answer === undefined ? OFFLINE_NOTICE : undefined,
      },
      signal,
    )
  } catch (error) {
    await session.end()
    throw error
  }
}

/**
 * The conversations in the stores of a service, for its page: its own, with all that was said, and those of the gateway as
 * far as the engine keeps them.
 */
function storedSessions({ store, engine, tokens, window }: ServiceInput): StoredSessions {
  const own = async () => new Map((await store.conversations()).map((record) => [engineKey(record), record]))
  const summaryOf = (id: string, source: 'service' | 'gateway', messages: number): ViewSummary => ({
    ...{ id, title: id, source, engine: engine.title, model: null, isLive: false, startedAt: null },
    ...{ requests: 0, messages, compactions: 0, tokens: 0, window, isStored: true },
  })
  const saidIn = async (id: string): Promise<readonly { message: Message; at: number | null }[]> => {
    const record = (await own()).get(id)
    if (record === undefined) return engine.stored.messagesOf(id)
    const { system, no } = record
    const prompt: Message[] = system === '' ? [] : [{ role: 'system', content: system }]
    return [...prompt, ...(await store.messages(no))].map((message) => ({ message, at: null }))
  }
  return {
    async list() {
      const [conversations, known] = await Promise.all([own(), engine.stored.list()])
      const times = new Map(known.map(({ key, lastAt }) => [key, lastAt]))
      const foreign = known.filter(({ key }) => !conversations.has(key))
      return [
        ...[...conversations].map(([key, { messages }]) => summaryOf(key, 'service', messages)),
        ...foreign.map(({ key, messages }) => summaryOf(key, 'gateway', messages)),
      ]
        .filter(({ messages }) => messages > 0)
        .map((summary) => ({ ...summary, startedAt: times.get(summary.id) ?? null }))
        .sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
    },
    async view(summary) {
      const messages = await saidIn(summary.id)
      if (messages.length === 0) return undefined
      return createStoredView({ summary, messages, reader: engine.reader(summary.id), tokens, threshold: 0 })
    },
  }
}
