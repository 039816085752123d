import type { Clock } from '@palimpsest/core'
import { ServiceFault } from '../http/service-fault.ts'
import type { ConversationRecord, ServiceStore } from '../store/service-store.ts'
import { type BoundedQueue, createBoundedQueue } from './bounded-queue.ts'
import type { Conversation } from './conversation.ts'

/** All conversations of a service: calls of one session run one after the other, those of different ones at once. */
export interface Conversations {
  /** Begins a new conversation in a session. */
  begin(session: string, repoName: string | undefined, signal: AbortSignal): Promise<ConversationRecord>
  /** Runs on the latest conversation of a session. */
  run<T>(
    session: string,
    signal: AbortSignal,
    task: (conversation: Conversation) => Promise<T>,
    options?: RunOptions,
  ): Promise<T>
  /** How many are in memory. */
  readonly loaded: number
  /** Takes out of memory what nobody asked for a while. */
  unloadIdle(): Promise<void>
  /** Waits for what runs, and ends all. Later calls are refused. */
  close(): Promise<void>
}

export interface RunOptions {
  /** Begins a conversation when there is none. Default false. */
  readonly mayBegin?: boolean
  /** Tells whether a conversation in memory has to be read from the stores again before the task. Default: never. */
  readonly isStale?: (conversation: Conversation) => Promise<boolean>
}

export interface ConversationsInput {
  readonly store: ServiceStore
  readonly open: (record: ConversationRecord, signal: AbortSignal) => Promise<Conversation>
  readonly clock: Clock
  readonly limits: {
    /** Calls of one session at once. */
    readonly queue: number
    /** Conversations in memory at once. */
    readonly loaded: number
    /** Milliseconds without a call after which one leaves the memory. */
    readonly idle: number
  }
}

/** A session that somebody has called. */
interface Entry {
  readonly queue: BoundedQueue
  conversation: Conversation | undefined
  /** Has a place in memory: it is loaded, or being loaded. */
  isHeld: boolean
  lastUsed: number
}

export function createConversations({ store, open, clock, limits }: ConversationsInput): Conversations {
  const entries = new Map<string, Entry>()
  let isClosed = false

  const inQueue = async <T>(
    session: string,
    signal: AbortSignal,
    task: (entry: Entry) => Promise<T>,
  ): Promise<T> => {
    const queue = createBoundedQueue(limits.queue)
    const entry = entries.get(session) ?? { queue, conversation: undefined, isHeld: false, lastUsed: 0 }
    entries.set(session, entry)
    try {
      return await entry.queue.run(() => task(entry), signal)
    } finally {
      entry.lastUsed = clock.now()
      forget(session, entry)
    }
  }

  /** A session that is not in memory needs no place in the list either. */
  const forget = (session: string, { isHeld, queue }: Entry): void => {
    if (!isHeld && queue.pending === 0) entries.delete(session)
  }

  const unload = async (entry: Entry): Promise<void> => {
    const { conversation } = entry
    entry.conversation = undefined
    try {
      await conversation?.close()
    } finally {
      entry.isHeld = false
    }
  }

  const held = () => [...entries].filter(([, entry]) => entry.isHeld)

  /** Through the queue, so that a session is not loaded again before it has ended. */
  const unloadInQueue = async ([session, entry]: readonly [string, Entry]): Promise<void> => {
    try {
      await entry.queue.runAnyway(() => unload(entry))
    } finally {
      forget(session, entry)
    }
  }

  const dropOldest = async (): Promise<void> => {
    const [oldest] = held()
      .filter(([, { queue }]) => queue.pending === 0)
      .sort(([, a], [, b]) => a.lastUsed - b.lastUsed)
    if (oldest === undefined)
      throw new ServiceFault(
        503,
        'service-busy',
        `all ${limits.loaded} conversations in memory are busy; try again`,
        {
          retryAfter: 1,
        },
      )
    await unloadInQueue(oldest)
  }

  const load = async (
    entry: Entry,
    record: ConversationRecord,
    signal: AbortSignal,
  ): Promise<Conversation> => {
    if (entry.conversation !== undefined) return entry.conversation
    while (held().length >= limits.loaded) await dropOldest()
    entry.isHeld = true
    try {
      entry.conversation = await open(record, signal)
      return entry.conversation
    } catch (error) {
      entry.isHeld = false
      throw error
    }
  }

  const assertOpen = (): void => {
    if (isClosed)
      throw new ServiceFault(503, 'shutting-down', 'the service is shutting down', { retryAfter: 5 })
  }

  return {
    async begin(session, repoName, signal) {
      assertOpen()
      return inQueue(session, signal, async (entry) => {
        await unload(entry)
        return store.begin(session, repoName, clock.now())
      })
    },
    async run(session, signal, task, { mayBegin = false, isStale = async () => false } = {}) {
      assertOpen()
      if (!mayBegin && store.find(session) === undefined)
        throw new ServiceFault(404, 'unknown-session', `there is no session "${session}"`, {
          path: 'session',
        })
      return inQueue(session, signal, async (entry) => {
        const record = store.find(session) ?? store.begin(session, undefined, clock.now())
        if (entry.conversation !== undefined && (await isStale(entry.conversation))) await unload(entry)
        return task(await load(entry, record, signal))
      })
    },
    get loaded() {
      return held().length
    },
    async unloadIdle() {
      const since = clock.now() - limits.idle
      const idle = held().filter(([, { queue, lastUsed }]) => queue.pending === 0 && lastUsed <= since)
      await Promise.all(idle.map(unloadInQueue))
    },
    async close() {
      isClosed = true
      const ended = await Promise.allSettled([...entries].map(unloadInQueue))
      const failed = ended.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
  }
}
