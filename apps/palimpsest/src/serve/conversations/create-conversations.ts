import type { Clock } from '@palimpsest/core'
import { ConversationPool, type PoolLease } from '@palimpsest/gateway/pool'
import { ServiceFault } from '../http/service-fault.ts'
import {
  type ConversationRecord,
  engineKey,
  type ServiceStore,
  sessionLockName,
} from '../store/service-store.ts'
import type { Conversation } from './conversation.ts'
import type { LockedCall } from './conversation-state.ts'

/**
 * All conversations of a service: calls of one session run one after the other, those of different ones at once. Other
 * workers on the store keep to that too: what one of them has in memory is read from the stores again when another one
 * went on with the session.
 */
export interface Conversations {
  /** Begins a new conversation in a session. */
  begin(session: string, repoName: string | undefined, signal: AbortSignal): Promise<ConversationRecord>
  /** Runs on the latest conversation of a session. */
  run<T>(
    session: string,
    signal: AbortSignal,
    task: (conversation: Conversation, locked: LockedCall) => Promise<T>,
    options?: RunOptions,
  ): Promise<T>
  readonly loaded: number
  /** Calls that wait for others of their session. */
  readonly waiting: number
  /** Takes idle conversations out of memory. */
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
  readonly store: Pick<ServiceStore, 'find' | 'begin' | 'locks'>
  /** Whether the engine's stores have something of a key already, such as what was copied into them. */
  readonly isKnown: (key: string) => Promise<boolean>
  readonly open: (record: ConversationRecord, signal: AbortSignal) => Promise<Conversation>
  readonly clock: Clock
  readonly limits: {
    /** Calls of one session at once. */
    readonly queue: number
    /** Conversations in memory at once. */
    readonly loaded: number
    /** Milliseconds without a call after which one leaves the memory. */
    readonly idle: number
    /** Milliseconds that a call waits for another worker. */
    readonly lock: number
  }
}

/** A conversation in memory, and the token of the lock that it was used under last: one more is the next holder's. */
interface Loaded {
  readonly conversation: Conversation
  token: number
}

interface SessionTask<T> {
  readonly session: string
  readonly signal: AbortSignal
  readonly task: (conversation: Conversation, locked: LockedCall) => Promise<T>
  readonly isStale: RunOptions['isStale'] | undefined
}

export function createConversations(input: ConversationsInput): Conversations {
  const { store, clock, limits } = input
  const pool = new ConversationPool<Loaded>({
    locks: store.locks,
    lockName: sessionLockName,
    clock,
    limits,
    end: ({ conversation }) => conversation.close(),
    queueFault,
    memoryFault: () => memoryFault(limits.loaded),
    workers: { limit: limits.lock, fault: workerFault },
  })
  let isClosed = false

  const assertOpen = (): void => {
    if (isClosed)
      throw new ServiceFault(503, 'shutting-down', 'the service is shutting down', { retryAfter: 5 })
  }

  const runUnder = async <T>(
    lease: PoolLease<Loaded>,
    { session, signal, task, isStale = async () => false }: SessionTask<T>,
    onSpent: (done: Promise<T>) => void,
  ): Promise<T> => {
    const { lock } = lease
    const call = { signal: AbortSignal.any([signal, lock.signal]), lock }
    const record = (await input.store.find(session)) ?? (await beginAnew(input, session, undefined))
    const conversation = await current(lease, isStale, record, () => input.open(record, call.signal))
    const done = task(conversation, call)
    await done.catch(() => {})
    if (conversation.isSpent) {
      onSpent(done)
      await lease.unload()
    }
    return done
  }

  return {
    async begin(session, repoName, signal) {
      assertOpen()
      return underLease(pool, session, signal, async (lease) => {
        await lease.unload()
        return beginAnew(input, session, repoName)
      })
    },
    async run<T>(
      session: string,
      signal: AbortSignal,
      task: SessionTask<T>['task'],
      { mayBegin = false, isStale }: RunOptions = {},
    ) {
      assertOpen()
      if (!mayBegin && (await store.find(session)) === undefined)
        throw new ServiceFault(404, 'unknown-session', `there is no session "${session}"`, {
          path: 'session',
        })
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      // The caller need not wait for the end of a spent conversation, the next call does.
      const work = (lease: PoolLease<Loaded>) => runUnder(lease, { session, signal, task, isStale }, resolve)
      underLease(pool, session, signal, work).then(resolve, reject)
      return promise
    },
    get loaded() {
      return pool.loaded
    },
    get waiting() {
      return pool.waiting
    },
    unloadIdle: () => pool.unloadIdle(),
    async close() {
      isClosed = true
      await pool.close()
    },
  }
}

async function underLease<T>(
  pool: ConversationPool<Loaded>,
  session: string,
  signal: AbortSignal,
  work: (lease: PoolLease<Loaded>) => Promise<T>,
): Promise<T> {
  const lease = await pool.take(session, signal)
  try {
    return await work(lease)
  } finally {
    await lease.release()
  }
}

/**
 * A new conversation under a key that the engine does not know: handed another history under one that it knows, it
 * would take back all that it has of it.
 */
async function beginAnew(
  { store, isKnown, clock }: ConversationsInput,
  session: string,
  repoName: string | undefined,
): Promise<ConversationRecord> {
  let epoch = ((await store.find(session))?.epoch ?? 0) + 1
  while (await isKnown(engineKey({ session, epoch }))) epoch++
  return store.begin(session, repoName, clock.now(), epoch)
}

/** The conversation in memory, when it is the whole of what is stored; else it is read from the stores. */
async function current(
  lease: PoolLease<Loaded>,
  isStale: NonNullable<RunOptions['isStale']>,
  record: ConversationRecord,
  open: () => Promise<Conversation>,
): Promise<Conversation> {
  const { value, lock } = lease
  if (value !== undefined) {
    const { conversation, token } = value
    const isSame = conversation.record.no === record.no && conversation.turns === record.turns
    const isAlone = lock.token - token <= 1
    if (!isSame || !isAlone || (await isStale(conversation))) await lease.unload()
  }
  const loaded = await lease.load(async () => ({ conversation: await open(), token: lock.token }))
  loaded.token = lock.token
  return loaded.conversation
}

function queueFault(waiting: number): ServiceFault {
  const message = `${waiting} calls of this session wait already; try again`
  return new ServiceFault(429, 'session-busy', message, { retryAfter: 1 })
}

function memoryFault(loaded: number): ServiceFault {
  const message = `all ${loaded} conversations in memory are busy; try again`
  return new ServiceFault(503, 'service-busy', message, { retryAfter: 1 })
}

function workerFault(session: string): ServiceFault {
  const message = `another worker of this service is at work on the session "${session}", or the database does not answer; try again`
  return new ServiceFault(503, 'session-busy', message, { retryAfter: 5 })
}
