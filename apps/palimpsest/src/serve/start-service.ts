import { type Clock, errorText, type Message, redactSecrets, type TokenCounter } from '@palimpsest/core'
import type { Gateway } from '@palimpsest/gateway'
import type { Inspector } from '@palimpsest/inspector'
import { OFFLINE_SUMMARIES } from '../models/find-summary-model.ts'
import type { PromptCache } from '../prompt-cache.ts'
import { version } from '../version.ts'
import { type Conversation, openConversation } from './conversations/conversation.ts'
import { createConversations } from './conversations/create-conversations.ts'
import { findDecisions } from './conversations/find-decisions.ts'
import { withdrawUnfinished } from './conversations/withdraw-unfinished.ts'
import { type CheckedStore, type StoreState, watchStores } from './health/watch-stores.ts'
import { createApp } from './http/create-app.ts'
import { listen, stopListening } from './http/listen.ts'
import { watchCalls } from './http/watch-calls.ts'
import type { Metrics } from './metrics/create-metrics.ts'
import { OFFLINE_NOTICE } from './models/context-lines.ts'
import { meterChat, meterCompletion, type NoteCall } from './models/meter.ts'
import { createOfflineAnswerer } from './models/offline-answerer.ts'
import type { ServiceModels } from './models/service-models.ts'
import { SERVE_DEFAULTS } from './serve-defaults.ts'
import type { EngineModels, ServiceEngine } from './service-engine.ts'
import { type ConversationRecord, engineKey, type ServiceStore } from './store/service-store.ts'
import { storedSessions } from './stored-sessions.ts'

export interface ServiceInput {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  readonly token: string | undefined
  readonly store: ServiceStore
  /** Whether the store outlives the process. */
  readonly durable: boolean
  readonly engine: ServiceEngine
  /** Stores of the gateway, whose health is told with that of the service's and the engine's. */
  readonly gatewayStores: readonly CheckedStore[]
  readonly models: ServiceModels
  /** That of the model that answers. */
  readonly promptCache: PromptCache
  /** Shows conversations while they run. */
  readonly inspector: Inspector
  /** Counts what happens. */
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

/**
 * Puts the parts together and listens.
 *
 * @throws UsageError when the address cannot be used.
 */
export async function startService(input: ServiceInput): Promise<Service> {
  const { host, port, token, store, durable, engine, models, inspector, metrics, gateway, tokens, clock } =
    input
  const log = (line: string) => input.log(redactSecrets(line).replaceAll(/\s+/g, ' '))
  const limits = { ...SERVE_DEFAULTS, ...input.limits }
  const logFault = (error: unknown) => log(`error: ${errorText(error)}`)
  /** Returns whether other workers had conversations that may have an unfinished turn. */
  const withdraw = async (): Promise<boolean> => {
    const { withdrawn, left } = await withdrawUnfinished(store, engine, logFault)
    if (withdrawn > 0) log(`palimpsest: took back what was said in unfinished turns (${withdrawn})`)
    return left > 0
  }
  let hasUnfinished = await withdraw()
  const conversations = createConversations({
    store,
    isKnown: engine.knows,
    clock,
    limits: {
      queue: limits.queueLimit,
      loaded: limits.loadedLimit,
      idle: limits.idleLimit,
      lock: limits.lockLimit,
    },
    open: (record, signal) => openWatched({ ...input, log }, record, signal),
  })
  inspector.remember(storedSessions({ store, engine, tokens, window: input.window }))
  metrics.show({ service: conversations, gateway })
  // Its lines hold nothing of a conversation; the name of a session looks like a cookie.
  const watch = watchCalls({ metrics, timeLimit: limits.timeLimit, log: input.log, now: clock.now })
  const sessions = { name: 'sessions', kind: store.kind, check: () => store.check() }
  const stores = [sessions, ...engine.stores, ...input.gatewayStores]
  const storeStates = watchStores({ stores, limit: limits.healthLimit, log })
  const facts = { version, engine: engine.name, offline: models.answer === undefined, durable }
  const app = createApp({
    inspector,
    conversations,
    store,
    watch,
    metrics,
    engine,
    storeStates,
    facts,
    gateway,
    token,
    bodyLimit: limits.bodyLimit,
    log,
  })

  const { server, port: actual, url } = await listen(app, port, host)
  const sweep = setInterval(async () => {
    try {
      await conversations.unloadIdle()
      // By now the lock of a worker that was killed before the start has run out.
      if (hasUnfinished) await withdraw()
      hasUnfinished = false
    } catch (error) {
      logFault(error)
    }
  }, SWEEP_INTERVAL)

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
  const { answer } = models
  const key = engineKey(record)
  const cache = promptCache.createPlanner()
  // A damaged one is not used: all that was said is there.
  const projection = await store.projection(record.no).catch((error) => {
    log(`error: ${errorText(error)}`)
    return undefined
  })
  const settings = { modelName: answer?.name, restored: projection, ...(cache !== undefined && { cache }) }
  const own = await engine.open(key, meterAll(models, note), settings)
  own.subscribe((event) => {
    if (event.type === 'warning' && event.warning.code === 'restored-ignored')
      log(`warning: ${event.warning.message} (session "${record.session}")`)
  })
  const session = inspector.watch(own, {
    source: 'service',
    title: key,
    profile: engine.profile,
    model: answer?.name ?? null,
    summaries: models.compaction?.name ?? OFFLINE_SUMMARIES,
    ...(promptCache.prices && { prices: promptCache.prices }),
    reader: engine.reader(key),
  })
  // An answer without a model costs nothing.
  const model =
    answer === undefined
      ? createOfflineAnswerer(async (subject, signal) => {
          const stored = await engine.decisionsOf(session.id).catch(() => null)
          return findDecisions(session, subject, stored, signal)
        })
      : meterChat(answer, note)
  const notice = answer === undefined ? OFFLINE_NOTICE : undefined
  const assertSame = (messages: readonly Message[]) => engine.assertSame(key, messages)
  const parts = { record, store, session, projection, assertSame, model, promptCache, notice, tokens, clock }
  return openConversation(parts, signal).catch(async (error) => {
    await session.end()
    throw error
  })
}

function meterAll({ extraction, dedup, compaction }: ServiceModels, note: NoteCall): EngineModels {
  return {
    ...(extraction && { extraction: meterCompletion(extraction, 'extraction', note) }),
    ...(dedup && { dedup: meterCompletion(dedup, 'dedup', note) }),
    ...(compaction && { compaction: meterCompletion(compaction, 'compaction', note) }),
  }
}
