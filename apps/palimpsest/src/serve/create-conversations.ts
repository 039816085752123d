import type { Clock } from '@palimpsest/core'
import { ConversationPool, type PoolLease } from '@palimpsest/gateway/pool'
import type { Conversation, LockedCall } from './conversation.ts'
import { ServiceFault } from './http/service-fault.ts'
import {
  type ConversationRecord,
  engineKey,
  type ServiceStore,
  sessionLockName,
} from './store/service-store.ts'

export interface ConversationsInput {
  readonly store: Pick<ServiceStore, 'find' | 'begin' | 'locks'>
  /** Whether the engine's stores have something of a key already, such as what was copied into them. */
  readonly isKnown: (key: string) => Promise<boolean>
  readonly open: (record: ConversationRecord, signal: AbortSignal) => Promise<Conversation>
  readonly clock: Clock
  /** See `SERVE_DEFAULTS`. */
  readonly limits: Readonly<Record<'queueLimit' | 'loadedLimit' | 'idleLimit' | 'lockLimit', number>>
}

type Task<T> = (conversation: Conversation, locked: LockedCall) => Promise<T>

/** A conversation in memory, and the token of the lock that it was used under last: one more is the next holder's. */
interface Loaded {
  readonly conversation: Conversation
  token: number
}

/**
 * All conversations of a service: calls of one session run one after the other, those of different ones at once. Other
 * workers on the store keep to that too: what one of them has in memory is read from the stores again when another one
 * went on with the session.
 */
export type Conversations = ReturnType<typeof createConversations>

export function createConversations({ store, isKnown, open, clock, limits }: ConversationsInput) {
  const pool = new ConversationPool<Loaded>({
    locks: store.locks,
    lockName: sessionLockName,
    clock,
    limits: { queue: limits.queueLimit, loaded: limits.loadedLimit, idle: limits.idleLimit },
    end: ({ conversation }) => conversation.close(),
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
    work: (lease: PoolLease<Loaded>) => Promise<T>,
  ): Promise<T> => {
    if (isClosed) throw busy(503, 'shutting-down', 'the service is shutting down')
    const lease = await pool.take(session, signal)
    try {
      return await work(lease)
    } finally {
      await lease.release()
    }
  }

  /**
   * A new conversation under a key that the engine does not know: handed another history under one that it knows, it would
   * take back all that it has of it.
   */
  const beginAnew = async (session: string, repoName?: string): Promise<ConversationRecord> => {
    let epoch = ((await store.find(session))?.epoch ?? 0) + 1
    while (await isKnown(engineKey({ session, epoch }))) epoch++
    return store.begin(session, repoName, clock.now(), epoch)
  }

  /** The conversation in memory, when it is the whole of what is stored; else it is read from the stores. */
  const current = async (
    lease: PoolLease<Loaded>,
    record: ConversationRecord,
    signal: AbortSignal,
  ): Promise<Conversation> => {
    const { value, lock } = lease
    if (value !== undefined) {
      const { conversation, token } = value
      const isSame = conversation.record.no === record.no && conversation.turns === record.turns
      const isAlone = lock.token - token <= 1
      if (!isSame || !isAlone) await lease.unload()
    }
    const loaded = await lease.load(async () => ({
      conversation: await open(record, signal),
      token: lock.token,
    }))
    loaded.token = lock.token
    return loaded.conversation
  }

  return {
    /** Begins a new conversation in a session. */
    begin: (session: string, repoName: string | undefined, signal: AbortSignal) =>
      underLease(session, signal, async (lease) => {
        await lease.unload()
        return beginAnew(session, repoName)
      }),
    /** Runs on the latest conversation of a session. `mayBegin`: begins one when there is none. */
    async run<T>(session: string, signal: AbortSignal, task: Task<T>, mayBegin = false): Promise<T> {
      if (!mayBegin && (await store.find(session)) === undefined)
        throw new ServiceFault(404, 'unknown-session', `there is no session "${session}"`, {
          path: 'session',
        })
      return underLease(session, signal, async (lease) => {
        const { lock } = lease
        const call = { signal: AbortSignal.any([signal, lock.signal]), lock }
        const record = (await store.find(session)) ?? (await beginAnew(session))
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
    /** Calls that wait for others of their session. */
    get waiting() {
      return pool.waiting
    },
    /** Takes idle conversations out of memory. */
    unloadIdle: () => pool.unloadIdle(),
    /** Waits for what runs, and ends all. Later calls are refused. */
    async close(): Promise<void> {
      isClosed = true
      await pool.close()
    },
  }
}

function busy(status: 429 | 503, code: string, message: string): ServiceFault {
  return new ServiceFault(status, code, message, { retryAfter: status === 429 ? 1 : 5 })
}
