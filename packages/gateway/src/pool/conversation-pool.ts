import {
  createPoolMemory,
  giveBack,
  type PoolEntry,
  type PoolMemory,
  type PoolOptions,
} from './pool-memory.ts'
import type { SessionLock } from './session-locks.ts'

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
  /** Calls that wait for another one of their conversation. */
  readonly waiting: number
  /** Ends what was quiet for a while. What another worker has stays until it was quiet for as long once more. */
  unloadIdle(): Promise<void>
  /** Ends all, each in its turn. Rejects with the first error of `end` when all are over. */
  close(): Promise<void>
}

export function createConversationPool<T>(options: PoolOptions<T>): ConversationPool<T> {
  const { locks, lockName = (id) => id, workers } = options
  const memory = createPoolMemory(options)

  const takeLock = async (id: string, signal: AbortSignal): Promise<SessionLock> => {
    if (workers === undefined) return locks.take(lockName(id), signal)
    const waited = AbortSignal.timeout(workers.limit)
    return locks.take(lockName(id), AbortSignal.any([signal, waited])).catch((error: unknown) => {
      throw waited.aborted && !signal.aborted ? workers.fault(id) : error
    })
  }

  const enter = async (
    entry: PoolEntry<T>,
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
        memory.forget(entry)
      }
    }
    return lock && createPoolLease(memory, entry, lock, leave)
  }

  return {
    async take(id, signal) {
      const lease = await enter(memory.entryOf(id), signal, () => takeLock(id, signal))
      if (lease === undefined) throw new Error('a lock that was waited for is there')
      return lease
    },
    async tryTake(id, signal) {
      const entry = memory.entryOf(id)
      return entry.queue.isBusy ? undefined : enter(entry, signal, () => locks.tryTake(lockName(id)))
    },
    get loaded() {
      return memory.loaded
    },
    get waiting() {
      return memory.waiting
    },
    unloadIdle: memory.unloadIdle,
    close: memory.close,
  }
}

function createPoolLease<T>(
  memory: PoolMemory<T>,
  entry: PoolEntry<T>,
  lock: SessionLock,
  leave: () => void,
): PoolLease<T> {
  return {
    lock,
    get value() {
      return entry.value
    },
    async load(open) {
      if (entry.value !== undefined) return entry.value
      await memory.makeRoom()
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
      await memory.end(entry, lock.signal.aborted ? await memory.takeToEnd(entry.id) : undefined)
    },
    async release() {
      memory.touch(entry)
      // Before the next one of this process, which would wait for it.
      await giveBack(lock)
      leave()
      memory.forget(entry)
    },
  }
}
