import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Clock, TokenCounter } from '@palimpsest/core'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { openConversation } from './conversations/conversation.ts'
import { createConversations } from './conversations/create-conversations.ts'
import { engineKey } from './conversations/engine-key.ts'
import { findDecisions } from './conversations/find-decisions.ts'
import { withdrawUnfinished } from './conversations/withdraw-unfinished.ts'
import { checkToken } from './http/check-token.ts'
import { createApp } from './http/create-app.ts'
import { watchCalls } from './http/watch-calls.ts'
import { meterChat, meterCompletion } from './models/meter.ts'
import { createOfflineAnswerer } from './models/offline-answerer.ts'
import { OFFLINE_NOTICE } from './models/offline-texts.ts'
import type { ServiceModels } from './models/service-models.ts'
import { SERVE_DEFAULTS } from './serve-defaults.ts'
import type { EngineModels, ServiceEngine } from './service-engine.ts'
import type { ServiceStore } from './store/service-store.ts'

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
  readonly tokens: TokenCounter
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Replaces some of `SERVE_DEFAULTS`. */
  readonly limits?: Partial<Record<ServiceLimit, number>>
}

type ServiceLimit = 'bodyLimit' | 'timeLimit' | 'queueLimit' | 'loadedLimit' | 'idleLimit' | 'shutdownLimit'

/** A service that listens. */
export interface Service {
  /** With the real port. */
  readonly url: string
  readonly port: number
  /**
   * Stops listening, lets what is being answered finish within the limit, and closes everything: its store and its
   * engine too.
   */
  close(): Promise<void>
}

/** How often idle conversations are looked for, in milliseconds. */
const SWEEP_INTERVAL = 30_000

/**
 * Puts the parts together and listens.
 *
 * @throws UsageError when the address cannot be used, or is not this machine's own and there is no token.
 */
export async function startService(input: ServiceInput): Promise<Service> {
  const { host, port, token, store, durable, engine, models, tokens, clock, log } = input
  const limits = { ...SERVE_DEFAULTS, ...input.limits }
  checkToken(token, host)
  const withdrawn = await withdrawUnfinished(store, engine)
  if (withdrawn > 0) log(`palimpsest: took back what was said in unfinished turns (${withdrawn})`)
  const conversations = createConversations({
    store,
    clock,
    limits: { queue: limits.queueLimit, loaded: limits.loadedLimit, idle: limits.idleLimit },
    open: async (record, signal) => {
      const note = store.addCost.bind(store, record.no)
      const session = await engine.open(engineKey(record), meterAll(models, note))
      const { answer } = models
      // What answers without a model costs nothing.
      const model =
        answer === undefined
          ? createOfflineAnswerer(async (subject, signal) => {
              const stored = await engine.decisionsOf(session.id).catch(() => null)
              return findDecisions(session, subject, stored, signal)
            })
          : meterChat(answer, note)
      const notice = answer === undefined ? OFFLINE_NOTICE : undefined
      const parts = { record, store, session, model, notice, tokens, clock }
      return openConversation(parts, signal).catch(async (error) => {
        await session.end()
        throw error
      })
    },
  })
  const watch = watchCalls({ timeLimit: limits.timeLimit, log, now: clock.now })
  const facts = { version, engine: engine.name, offline: models.answer === undefined, durable }
  const app = createApp({
    conversations,
    store,
    watch,
    engine,
    facts,
    token,
    bodyLimit: limits.bodyLimit,
    log,
  })

  const server = createAdaptorServer({ fetch: app.fetch, hostname: host }) as Server
  await listen(server, port, host)
  const sweep = setInterval(() => {
    conversations.unloadIdle().catch((error) => log(`error: ${String(error)}`))
  }, SWEEP_INTERVAL)
  const actual = (server.address() as AddressInfo).port

  const shutDown = async (): Promise<void> => {
    clearInterval(sweep)
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    await watch.drain(limits.shutdownLimit)
    try {
      await conversations.close()
    } finally {
      await engine.close()
      store.close()
      server.closeAllConnections()
      await stopped
    }
  }
  let closing: Promise<void> | undefined
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    port: actual,
    close() {
      closing ??= shutDown()
      return closing
    },
  }
}

function meterAll(
  { extraction, dedup, compaction }: ServiceModels,
  note: Parameters<typeof meterCompletion>[2],
): EngineModels {
  return {
    ...(extraction && { extraction: meterCompletion(extraction, 'extraction', note) }),
    ...(dedup && { dedup: meterCompletion(dedup, 'dedup', note) }),
    ...(compaction && { compaction: meterCompletion(compaction, 'compaction', note) }),
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === 'EADDRINUSE'
          ? `port ${port} is used already; choose another with --port, or 0 for any`
          : `cannot listen on ${host}:${port} (${cause.code}); check --host and --port`
      reject(new UsageError(reason, { cause }))
    })
    server.listen(port, host, resolve)
  })
}
