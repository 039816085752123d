import type { Clock } from '@palimpsest/core'
import type { SessionLocks } from '@palimpsest/gateway'
import { createConversationPool, type PoolLease } from '@palimpsest/gateway/pool'
import type { Conversation, LockedCall } from './conversation.ts'
import { ServiceFault } from './http/service-fault.ts'
import type { ConversationRecord, ServiceStore } from './service-store.ts'

export interface ConversationsInput {
  readonly store: Pick<ServiceStore, 'find' | 'begin'>
  readonly locks: SessionLocks
  readonly open: (record: ConversationRecord, signal: AbortSignal) => Promise<Conversation>
  readonly clock: Clock
  readonly limits: Readonly<Record<'queueLimit' | 'loadedLimit' | 'idleLimit' | 'lockLimit', number>>
}

type Task<T> = (conversation: Conversation, locked: LockedCall) => Promise<T>

/**
 * A service's conversations. Calls of one session run in sequence, those of different sessions concurrently, also
 * across workers on the store: a conversation that another worker continued is read again.
 */
export type Conversations = ReturnType<typeof createConversations>

export function createConversations({ store, locks, open, clock, limits }: ConversationsInput) {
  const pool = createConversationPool<Conversation>({
    locks,
    clock,
    limits: { queue: limits.queueLimit, loaded: limits.loadedLimit, idle: limits.idleLimit },
    end: (conversation) => conversation.close(),
    queueFault: (waiting) =>
      busy(429, 'session-busy', `${waiting} calls of this session wait already; try again`),
    memoryFault: () =>
      busy(503, 'service-busy', `all ${limits.loadedLimit} conversations in memory are busy; try again`),
    workers: {
      limit: limits.lockLimit,
      fault: (session) =>
        busy(503, 'session-busy', `another worker is at work on the session "${session}"; try again`),
    },
  })
  let isClosed = false

  const underLease = async <T>(
    session: string,
    signal: AbortSignal,
    work: (lease: PoolLease<Conversation>) => Promise<T>,
  ): Promise<T> => {
    if (isClosed) throw busy(503, 'shutting-down', 'the service is shutting down')
    const lease = await pool.take(session, signal)
    try {
      return await work(lease)
    } finally {
      await lease.release()
    }
  }

  const current = async (
    { value, unload, load }: PoolLease<Conversation>,
    record: ConversationRecord,
    signal: AbortSignal,
  ): Promise<Conversation> => {
    if (value !== undefined && !(value.record.key === record.key && (await value.isCurrent()))) await unload()
    return load(() => open(record, signal))
  }

  return {
    begin: (session: string, repoName: string | undefined, signal: AbortSignal) =>
      underLease(session, signal, async (lease) => {
        await lease.unload()
        return store.begin(session, repoName)
      }),
    async run<T>(session: string, signal: AbortSignal, task: Task<T>, mayBegin = false): Promise<T> {
      if (!mayBegin && (await store.find(session)) === undefined)
        throw new ServiceFault(404, 'unknown-session', `there is no session "${session}"`, {
          path: 'session',
        })
      return underLease(session, signal, async (lease) => {
        const lost = lease.lock.signal
        const call = { signal: AbortSignal.any([signal, lost]), lost }
        const record = (await store.find(session)) ?? (await store.begin(session, undefined))
        const conversation = await current(lease, record, call.signal)
        try {
          return await task(conversation, call)
        } finally {
          if (conversation.isSpent) await lease.unload()
        }
      })
    },
    get loaded() {
      return pool.loaded
    },
    get waiting() {
      return pool.waiting
    },
    unloadIdle: pool.unloadIdle,
    async close(): Promise<void> {
      isClosed = true
      await pool.close()
    },
  }
}

function busy(status: 429 | 503, code: string, message: string): ServiceFault {
  return new ServiceFault(status, code, message, { retryAfter: status === 429 ? 1 : 5 })
}
