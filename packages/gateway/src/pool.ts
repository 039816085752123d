import { setTimeout as sleep } from 'node:timers/promises'
import { abortable, type Clock } from '@palimpsest/core'

/** Locks that give one worker at a time a session, among all processes on a store. */
export interface SessionLocks {
  /** Waits until the session is free. Rejects with the signal's reason on an abort. */
  take(name: string, signal: AbortSignal): Promise<SessionLock>
  /** Takes the lock if it is free; undefined otherwise. */
  tryTake(name: string): Promise<SessionLock | undefined>
  /** Releases all locks of this process. */
  close(): Promise<void>
}

/** The code of a lock's loss to another worker. */
export const LOCK_TAKEN = 'LOCK_TAKEN'

/** Exclusive use of a session by this process. */
export interface SessionLock {
  /**
   * Aborted if the lock could not be renewed in time, for example because the database is unreachable: another worker
   * may have the session. The reason's code is `LOCK_TAKEN` if one has it.
   */
  readonly signal: AbortSignal
  /** Releases the lock. Idempotent. Never rejects: a failed release is retried, or the lock expires. */
  release(): Promise<void>
}

/** Locks for a store of a single process, in which a queue separates a session's calls. */
export function createLocalLocks(): SessionLocks {
  const take = async (): Promise<SessionLock> => {
    return { signal: new AbortController().signal, release: async () => {} }
  }
  return { take, tryTake: take, close: async () => {} }
}

/** The running calls. */
export type RunningCalls = ReturnType<typeof createRunningCalls>

/** A call, until its answer is over. */
export type RunningCall = ReturnType<RunningCalls['begin']>

/**
 * @param shutdownFault Creates the error for calls that a shutdown refuses or ends.
 * @param goneFault Creates the error for a call whose caller disconnected. Default: the reason of the caller's signal.
 */
export function createRunningCalls(shutdownFault: () => Error, goneFault?: () => Error) {
  const running = new Set<AbortController>()
  const drained = Promise.withResolvers<void>()
  let isClosed = false
  const settle = () => {
    if (isClosed && running.size === 0) drained.resolve()
  }
  return {
    begin(caller: AbortSignal) {
      if (isClosed) throw shutdownFault()
      const controller = new AbortController()
      const abandon = () => controller.abort(goneFault?.() ?? caller.reason)
      running.add(controller)
      if (caller.aborted) abandon()
      else caller.addEventListener('abort', abandon, { once: true })
      return {
        signal: controller.signal as AbortSignal,
        abandon,
        stop: (reason: Error) => controller.abort(reason),
        end() {
          running.delete(controller)
          settle()
        },
      }
    },
    async drain(limit: number): Promise<void> {
      isClosed = true
      settle()
      const timer = setTimeout(() => {
        for (const call of running) call.abort(shutdownFault())
      }, limit)
      await drained.promise
      clearTimeout(timer)
    },
  }
}

/** Exclusive use of a conversation for one call, in this process and among all workers. */
export interface PoolLease<T> {
  /** Aborted if another worker may have it. */
  readonly lock: SessionLock
  /** The conversation, if it is in memory. */
  readonly value: T | undefined
  /** Opens it if necessary; the least recently used one makes room. */
  load(open: () => Promise<T>): Promise<T>
  /** Ends it, if it is in memory. */
  unload(): Promise<void>
  /** Resolves when the next call can have it, here or at another worker. May be called repeatedly. */
  release(): Promise<void>
}

interface PoolOptions<T> {
  readonly locks: SessionLocks
  readonly clock: Clock
  /**
   * Ends a conversation that leaves memory. Another worker may have it by then; the store refuses conflicting writes.
   */
  readonly end: (value: T) => Promise<void>
  readonly limits: {
    readonly queue: number
    readonly loaded: number
    /** Milliseconds without a call after which one leaves memory. */
    readonly idle: number
  }
  /** Creates the error for a call with `waiting` others before it. */
  readonly queueFault: (waiting: number) => Error
  readonly memoryFault?: () => Error
  /** The maximum wait for another worker, and the error after it. Default: until the signal aborts. */
  readonly workers?: { readonly limit: number; readonly fault: (id: string) => Error }
}

interface PoolEntry<T> {
  readonly id: string
  readonly callers: Set<AbortSignal>
  last: Promise<void>
  value: T | undefined
  hasPlace: boolean
  lastUsed: number
}

/** Maximum wait for a lock's release, in milliseconds, so that others can have it at once. */
const RELEASE_LIMIT = 250

/** Conversations in memory: calls of one run in sequence, those of different ones concurrently. */
export function createConversationPool<T>(options: PoolOptions<T>) {
  const { locks, clock, limits, memoryFault, workers } = options
  const entries = new Map<string, PoolEntry<T>>()
  const inMemory = () => [...entries.values()].filter(({ hasPlace }) => hasPlace)

  const entryOf = (id: string): PoolEntry<T> => {
    const known = entries.get(id)
    if (known !== undefined) return known
    const unused = { value: undefined, hasPlace: false, lastUsed: clock.now() }
    const entry: PoolEntry<T> = { id, callers: new Set(), last: Promise.resolve(), ...unused }
    entries.set(id, entry)
    return entry
  }

  const forget = ({ id, hasPlace, callers }: PoolEntry<T>): void => {
    if (!hasPlace && callers.size === 0) entries.delete(id)
  }

  const takeTurn = async (entry: PoolEntry<T>, signal: AbortSignal): Promise<() => void> => {
    const { callers, last: before } = entry
    if (callers.size >= limits.queue) throw options.queueFault(callers.size)
    const { promise, resolve } = Promise.withResolvers<void>()
    entry.last = before.then(() => promise)
    callers.add(signal)
    const leave = () => {
      callers.delete(signal)
      resolve()
      forget(entry)
    }
    await abortable(before, signal).catch((error) => {
      leave()
      throw error
    })
    return leave
  }

  const end = async (entry: PoolEntry<T>): Promise<void> => {
    const { value } = entry
    entry.value = undefined
    try {
      if (value !== undefined) await options.end(value)
    } finally {
      entry.hasPlace = false
    }
  }

  const drop = (entry: PoolEntry<T>): Promise<void> => {
    const ended = entry.last.then(() => end(entry)).finally(() => forget(entry))
    entry.last = ended.catch(() => {})
    return ended
  }

  const makeRoom = async (): Promise<void> => {
    while (inMemory().length >= limits.loaded) {
      const idle = inMemory().find(({ callers, value }) => callers.size === 0 && value !== undefined)
      if (idle !== undefined) await drop(idle)
      else if (memoryFault !== undefined) throw memoryFault()
      else return
    }
  }

  const enter = async (
    entry: PoolEntry<T>,
    signal: AbortSignal,
    takeLock: () => Promise<SessionLock | undefined>,
  ): Promise<PoolLease<T> | undefined> => {
    const leave = await takeTurn(entry, signal)
    let lock: SessionLock | undefined
    try {
      lock = await takeLock()
    } finally {
      if (lock === undefined) leave()
    }
    return lock && leaseOf(entry, lock, leave)
  }

  const leaseOf = (entry: PoolEntry<T>, lock: SessionLock, leave: () => void): PoolLease<T> => ({
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
    unload: () => end(entry),
    async release() {
      entry.lastUsed = clock.now()
      if (entries.delete(entry.id)) entries.set(entry.id, entry)
      // The lock is released before this process's next call, which would wait for it.
      await Promise.race([lock.release(), sleep(RELEASE_LIMIT, undefined, { ref: false })])
      leave()
    },
  })

  const takeLock = (id: string, signal: AbortSignal): Promise<SessionLock> => {
    if (workers === undefined) return locks.take(id, signal)
    const waited = AbortSignal.timeout(workers.limit)
    return locks.take(id, AbortSignal.any([signal, waited])).catch((error: unknown) => {
      throw waited.aborted && !signal.aborted ? workers.fault(id) : error
    })
  }

  return {
    get loaded(): number {
      return inMemory().length
    },
    get waiting(): number {
      return [...entries.values()].reduce((sum, { callers }) => sum + Math.max(0, callers.size - 1), 0)
    },
    async take(id: string, signal: AbortSignal): Promise<PoolLease<T>> {
      signal.throwIfAborted()
      const lease = await enter(entryOf(id), signal, () => takeLock(id, signal))
      if (lease === undefined) throw new Error('a lock that was waited for is there')
      return lease
    },
    async tryTake(id: string, signal: AbortSignal): Promise<PoolLease<T> | undefined> {
      signal.throwIfAborted()
      const entry = entryOf(id)
      const isBusy = [...entry.callers].some(({ aborted }) => !aborted)
      return isBusy ? undefined : enter(entry, signal, () => locks.tryTake(id))
    },
    async unloadIdle(): Promise<void> {
      const since = clock.now() - limits.idle
      const idle = inMemory().filter(({ lastUsed, callers }) => lastUsed <= since && callers.size === 0)
      await Promise.all(idle.map(drop))
    },
    async close(): Promise<void> {
      const ended = await Promise.allSettled([...entries.values()].map(drop))
      for (const { status, reason } of ended as PromiseRejectedResult[])
        if (status === 'rejected') throw reason
    },
  }
}
