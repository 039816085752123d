import { abortable, type Clock } from '@palimpsest/core'
import type { SessionLock, SessionLocks } from './session-locks.ts'
import { createTurnQueue, type TurnQueue } from './turn-queue.ts'

/** A conversation for the time of one call: no other call has it meanwhile, in this process and among all workers. */
export interface PoolLease<T> {
  /** Aborted when another worker may have it by now. */
  readonly lock: SessionLock
  /** The conversation, when it is in memory. */
  readonly value: T | undefined
  /** Opens it when it is not in memory; what was quiet for longest makes room. */
  load(open: () => Promise<T>): Promise<T>
  /** Ends it, if it is in memory. Its engine may write then: a lease that was lost waits a while for another one. */
  unload(): Promise<void>
  /** Resolves when the next call can have it, here or at another worker. May be called more than once. */
  release(): Promise<void>
}

/** Conversations in memory: calls of one run one after the other, those of different ones at once. */
export interface ConversationPool<T> {
  /** Waits for a conversation. Rejects with the faults of the options, `signal.reason`, and errors of the locks. */
  take(id: string, signal: AbortSignal): Promise<PoolLease<T>>
  /** The same without waiting; undefined when a call has it whose caller is still there, or another worker. */
  tryTake(id: string, signal: AbortSignal): Promise<PoolLease<T> | undefined>
  /** Conversations in memory. */
  readonly loaded: number
  /** Ends what was quiet for a while. What another worker has stays until it was quiet for as long once more. */
  unloadIdle(): Promise<void>
  /** Ends all, each in its turn. Rejects with the first error of `end` when all are over. */
  close(): Promise<void>
}

export interface PoolOptions<T> {
  readonly locks: SessionLocks
  /** The name of a conversation among the locks. Default: its id. */
  readonly lockName?: (id: string) => string
  readonly clock: Clock
  /** Ends a conversation that leaves the memory. */
  readonly end: (value: T) => Promise<void>
  readonly limits: {
    /** Calls of one conversation that may run or wait at once. */
    readonly queue: number
    /** Conversations in memory at once. */
    readonly loaded: number
    /** Milliseconds without a call after which one leaves the memory. */
    readonly idle: number
  }
  /** Refuses a call when `waiting` others of its conversation run or wait. */
  readonly queueFault: (waiting: number) => Error
  /** Refuses a conversation when all in memory are busy. Default: more than the limit are kept. */
  readonly memoryFault?: () => Error
  /** How long a call waits for another worker, and how it is refused then. Default: as long as its signal lets it. */
  readonly workers?: { readonly limit: number; readonly fault: (id: string) => Error }
}

interface Entry<T> {
  readonly id: string
  readonly queue: TurnQueue
  value: T | undefined
  /** It is loaded, or being loaded. */
  hasPlace: boolean
  lastUsed: number
}

/** How long the end of a conversation waits for another worker that has it, in milliseconds. */
const END_LIMIT = 5_000
/** How long a call waits for a lock to be given back, in milliseconds: others may have it then at once. */
const RELEASE_LIMIT = 250

export function createConversationPool<T>(options: PoolOptions<T>): ConversationPool<T> {
  const { locks, lockName = (id) => id, clock, limits, queueFault, memoryFault, workers } = options
  const entries = new Map<string, Entry<T>>()
  const inMemory = () => [...entries.values()].filter(({ hasPlace }) => hasPlace)

  const entryOf = (id: string): Entry<T> => {
    const queue = () => createTurnQueue(limits.queue, queueFault)
    const known = entries.get(id)
    const entry = known ?? { id, queue: queue(), value: undefined, hasPlace: false, lastUsed: clock.now() }
    entries.set(id, entry)
    return entry
  }

  /** What is not in memory needs no place in the list either. */
  const forget = ({ id, hasPlace, queue }: Entry<T>): void => {
    if (!hasPlace && queue.isFree) entries.delete(id)
  }

  const takeLock = async (id: string, signal: AbortSignal): Promise<SessionLock> => {
    if (workers === undefined) return locks.take(lockName(id), signal)
    const waited = AbortSignal.timeout(workers.limit)
    return locks.take(lockName(id), AbortSignal.any([signal, waited])).catch((error: unknown) => {
      throw waited.aborted && !signal.aborted ? workers.fault(id) : error
    })
  }

  /** Undefined when another worker keeps it: then what is in memory ends without one. */
  const takeToEnd = (id: string): Promise<SessionLock | undefined> =>
    locks.take(lockName(id), AbortSignal.timeout(END_LIMIT)).catch(() => undefined)

  const end = async (entry: Entry<T>, lock: SessionLock | undefined): Promise<void> => {
    const { value } = entry
    entry.value = undefined
    try {
      if (value !== undefined) await options.end(value)
    } finally {
      entry.hasPlace = false
      if (lock !== undefined) await giveBack(lock)
    }
  }

  /** Does work on a conversation in its turn, so that it is not loaded again before it has ended. */
  const inTurn = async (entry: Entry<T>, work: () => Promise<void>): Promise<void> => {
    try {
      await entry.queue.runAnyway(async () => {
        if (entry.value !== undefined) await work()
      })
    } finally {
      forget(entry)
    }
  }

  /**
   * Ends one under a lock: its engine may have something left to write, which must not get in between what another worker
   * writes. Returns whether it left the memory.
   */
  const tryDrop = async (entry: Entry<T>): Promise<boolean> => {
    await inTurn(entry, async () => {
      const lock = await locks.tryTake(lockName(entry.id)).catch(() => undefined)
      entry.lastUsed = clock.now()
      if (lock !== undefined) await end(entry, lock)
    })
    return !entry.hasPlace
  }

  const dropOldest = async (): Promise<boolean> => {
    const idle = inMemory().filter(({ queue }) => queue.isFree)
    for (const entry of idle.sort((a, b) => a.lastUsed - b.lastUsed)) if (await tryDrop(entry)) return true
    return false
  }

  const makeRoom = async (): Promise<void> => {
    while (inMemory().length >= limits.loaded)
      if (!(await dropOldest())) {
        if (memoryFault !== undefined) throw memoryFault()
        return
      }
  }

  const leaseOf = (entry: Entry<T>, lock: SessionLock, leave: () => void): PoolLease<T> => ({
    lock,
    get value() {
      return entry.value
    },
    async load(open) {
      if (entry.value !== undefined) return entry.value
      await makeRoom()
      entry.hasPlace = true
      try {
        entry.value = await open()
        return entry.value
      } catch (error) {
        entry.hasPlace = false
        throw error
      }
    },
    async unload() {
      if (entry.value === undefined) return
      await end(entry, lock.signal.aborted ? await takeToEnd(entry.id) : undefined)
    },
    async release() {
      entry.lastUsed = clock.now()
      // Before the next one of this process, which would wait for it.
      await giveBack(lock)
      leave()
      forget(entry)
    },
  })

  const enter = async (
    entry: Entry<T>,
    signal: AbortSignal,
    take: () => Promise<SessionLock | undefined>,
  ): Promise<PoolLease<T> | undefined> => {
    const leave = await entry.queue.take(signal)
    let lock: SessionLock | undefined
    try {
      lock = await take()
    } finally {
      if (lock === undefined) {
        leave()
        forget(entry)
      }
    }
    return lock && leaseOf(entry, lock, leave)
  }

  return {
    async take(id, signal) {
      const lease = await enter(entryOf(id), signal, () => takeLock(id, signal))
      if (lease === undefined) throw new Error('a lock that was waited for is there')
      return lease
    },
    async tryTake(id, signal) {
      const entry = entryOf(id)
      return entry.queue.isBusy ? undefined : enter(entry, signal, () => locks.tryTake(lockName(id)))
    },
    get loaded() {
      return inMemory().length
    },
    async unloadIdle() {
      const since = clock.now() - limits.idle
      const idle = [...entries.values()].filter(({ queue, lastUsed }) => queue.isFree && lastUsed <= since)
      await Promise.all(idle.map(tryDrop))
    },
    async close() {
      const dropped = [...entries.values()].map((entry) =>
        inTurn(entry, async () => end(entry, await takeToEnd(entry.id))),
      )
      const failed = (await Promise.allSettled(dropped)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
  }
}

async function giveBack(lock: SessionLock): Promise<void> {
  await abortable(lock.release(), AbortSignal.timeout(RELEASE_LIMIT)).catch(() => {})
}
