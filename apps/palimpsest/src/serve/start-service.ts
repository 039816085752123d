import {
  type Clock,
  type CompletionModel,
  errorText,
  redactSecrets,
  type SessionInfo,
  type TokenCounter,
} from '@palimpsest/core'
import type { Gateway } from '@palimpsest/gateway'
import {
  createStoredView,
  type Inspector,
  type StoredSessions,
  type ViewSummary,
} from '@palimpsest/inspector'
import { OFFLINE_SUMMARIES } from '../models/find-summary-model.ts'
import { markedCompletion, type PromptCache } from '../prompt-cache.ts'
import { liveMessages } from '../stores/store-recording.ts'
import { version } from '../version.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { createConversations } from './create-conversations.ts'
import type { Metrics } from './create-metrics.ts'
import { createApp } from './http/create-app.ts'
import { listen, stopListening } from './http/listen.ts'
import { watchCalls } from './http/watch-calls.ts'
import { meterChat, meterCompletion, type NoteCall } from './models/meter.ts'
import { createOfflineAnswerer, OFFLINE_NOTICE } from './models/offline-answerer.ts'
import type { Purpose } from './models/price-of.ts'
import type { ServiceModels } from './models/service-models.ts'
import { SERVE_DEFAULTS } from './serve-defaults.ts'
import type { ServiceEngine } from './service-engine.ts'
import type { ConversationRecord, ServiceStore } from './service-store.ts'
import { locksOf } from './store-locks.ts'
import { watchStore } from './watch-store.ts'

export interface ServiceInput {
  readonly host: string
  readonly port: number
  readonly token: string | undefined
  readonly store: ServiceStore
  readonly engine: ServiceEngine
  readonly models: ServiceModels
  readonly promptCache: PromptCache
  readonly inspector: Inspector
  readonly metrics: Metrics
  readonly gateway?: Gateway
  readonly tokens: TokenCounter
  readonly window: number
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly limits?: Partial<Record<keyof typeof SERVE_DEFAULTS, number>>
}

export type Service = Awaited<ReturnType<typeof startService>>

const SEND_LIMIT = 500
const SWEEP_INTERVAL = 30_000

export async function startService(input: ServiceInput) {
  const { host, port, token, store, engine, models, inspector, metrics, gateway, clock } = input
  const log = (line: string) => input.log(redactSecrets(line).replaceAll(/\s+/g, ' '))
  const limits = { ...SERVE_DEFAULTS, ...input.limits }
  const locks = locksOf(store)
  const conversations = createConversations({
    ...{ store, locks, clock, limits },
    open: (record, signal) => openWatched({ ...input, log }, record, signal),
  })
  inspector.remember(storedSessions(input))
  metrics.show({ service: conversations, gateway })
  // Log lines contain nothing of a conversation; a session's name looks like a cookie.
  const watch = watchCalls({ metrics, timeLimit: limits.timeLimit, log: input.log, now: clock.now })
  const storeState = watchStore(store.store, limits.healthLimit, log)
  const durable = store.store.kind !== 'memory'
  const facts = { version, engine: engine.name, offline: models.answer === undefined, durable }
  const app = createApp({
    ...{ inspector, conversations, store, watch, metrics, engine, storeState, facts, gateway, token, log },
    bodyLimit: limits.bodyLimit,
  })

  // The reader of a body answers first, in its API's shape.
  const arrival = { headers: limits.headerLimit, whole: limits.timeLimit + limits.headerLimit }
  const { server, port: actual, url } = await listen(app, port, host, arrival)
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
      await locks.close()
      await store.store.close()
      await endConnections(SEND_LIMIT)
    }
  }
  let closing: Promise<void> | undefined
  return {
    url,
    port: actual,
    storeState,
    close(): Promise<void> {
      closing ??= shutDown()
      return closing
    },
  }
}

async function openWatched(
  { store, engine, models, inspector, promptCache, tokens, log }: ServiceInput,
  record: ConversationRecord,
  signal: AbortSignal,
): Promise<Conversation> {
  // The answer counts even if its cost cannot be recorded.
  const note: NoteCall = (call) =>
    store.addCost(record, call).catch((error) => log(`error: ${errorText(error)}`))
  const { answer, extraction, compaction } = models
  const { key } = record
  const cache = promptCache.createPlanner()
  const bill = promptCache.createBill()
  const metering = (model: CompletionModel, purpose: Purpose) =>
    meterCompletion(bill?.metered(model) ?? model, purpose, note)
  const metered = {
    ...(extraction && { extraction: metering(extraction, 'extraction') }),
    ...(compaction && { compaction: metering(markedCompletion(compaction, promptCache), 'compaction') }),
  }
  const own = await engine.open(key, metered, {
    modelName: answer?.name,
    ...(cache !== undefined && { cache }),
  })
  const session = inspector.watch(own, {
    ...{ source: 'service', title: key, model: answer?.name ?? null },
    summaries: compaction?.name ?? OFFLINE_SUMMARIES,
    ...(promptCache.prices && { prices: promptCache.prices }),
    ...(bill && { bill }),
    reader: engine.reader(key),
  })
  try {
    return await openConversation(
      {
        ...{ record, store, session, promptCache, tokens },
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

function storedSessions({ store, engine, tokens, window }: ServiceInput): StoredSessions {
  const summaryOf = ({ key, messages, lastAt }: SessionInfo): ViewSummary => ({
    ...{ id: key, title: key, source: key.startsWith('gateway:') ? 'gateway' : 'service' },
    ...{ engine: engine.title, model: null, isLive: false, startedAt: lastAt },
    ...{ requests: 0, messages, compactions: 0, tokens: 0, window, isStored: true },
  })
  return {
    async list() {
      const found: ViewSummary[] = []
      for await (const info of store.sessions()) if (info.messages > 0) found.push(summaryOf(info))
      return found.sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
    },
    async view(summary) {
      const session = await store.store.find({ principal: store.principal, key: summary.id })
      const messages = []
      if (session !== null)
        for await (const { role, message, at } of liveMessages(session))
          messages.push({ message: message ?? { role: role as 'user', content: GONE }, at })
      if (messages.length === 0) return undefined
      return createStoredView({ summary, messages, reader: engine.reader(summary.id), tokens, threshold: 0 })
    },
  }
}

const GONE = '(deleted on request, or damaged)'
