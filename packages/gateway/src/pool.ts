import { setTimeout as sleep } from 'node:timers/promises'
import { abortable, type Clock } from '@palimpsest/core'

/** One worker at a time for a session, among all processes that share a store. */
export interface SessionLocks {
  /** Waits until the session is free. Rejects with the reason of the signal when that comes first. */
  take(name: string, signal: AbortSignal): Promise<SessionLock>
  /** The same without waiting: undefined when it is taken. */
  tryTake(name: string): Promise<SessionLock | undefined>
  /** Gives back what this process has. */
  close(): Promise<void>
}

/** The code of a lock's end when another worker has it for certain. */
export const LOCK_TAKEN = 'LOCK_TAKEN'

/** A session that this process has for itself. */
export interface SessionLock {
  /**
   * Aborted when the lock could not be renewed in time, such as in a database that is away: another worker may have the
   * session now. The reason's code is `LOCK_TAKEN` when one has.
   */
  readonly signal: AbortSignal
  /** Idempotent. Never rejects: what cannot be given back now is given back later, or runs out. */
  release(): Promise<void>
}

/** For a store that belongs to one process, in which a queue keeps the calls of a session apart. */
export function createLocalLocks(): SessionLocks {
  const take = async (): Promise<SessionLock> => {
    return { signal: new AbortController().signal, release: async () => {} }
  }
  return { take, tryTake: take, close: async () => {} }
}

/** The calls that are being answered. */
export type RunningCalls = ReturnType<typeof createRunningCalls>

/** One call, until its answer is over. */
export type RunningCall = ReturnType<RunningCalls['begin']>

/**
 * @param shutdownFault refuses a call, and ends one that takes too long, because the service ends.
 * @param goneFault ends a call whose caller went away. Default: the reason of the caller's signal.
 */
export function createRunningCalls(shutdownFault: () => Error, goneFault?: () => Error) {
  const running = new Set<AbortController>()
  const drained = Promise.withResolvers<void>()
  let isClosed = false
  const settle = () => {
    if (isClosed && running.size === 0) drained.resolve()
  }
  return {
    /**
     * @param caller aborted when the caller goes away. Servers abort it with whatever they like.
     * @throws the fault of a shutdown when no more calls are taken.
     */
    begin(caller: AbortSignal) {
      if (isClosed) throw shutdownFault()
      const controller = new AbortController()
      const abandon = () => controller.abort(goneFault?.() ?? caller.reason)
      running.add(controller)
      if (caller.aborted) abandon()
      else caller.addEventListener('abort', abandon, { once: true })
      return {
        /** Aborts when the caller goes away, when a shutdown cannot wait any longer, and when the call is stopped. */
        signal: controller.signal as AbortSignal,
        /** The caller reads no more. */
        abandon,
        /** It cannot go on. */
        stop: (reason: Error) => controller.abort(reason),
        /** May be called more than once. */
        end() {
          running.delete(controller)
          settle()
        },
      }
    },
    /** Takes no more, and resolves when all are over; those that take longer than `limit` milliseconds are aborted. */
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

/** A conversation for the time of one call: no other call has it meanwhile, in this process and among all workers. */
export interface PoolLease<T> {
  /** Aborted when another worker may have it by now. */
  readonly lock: SessionLock
  /** The conversation, when it is in memory. */
  readonly value: T | undefined
  /** Opens it when it is not in memory; what was quiet for longest makes room. */
  load(open: () => Promise<T>): Promise<T>
  /** Ends it, if it is in memory. */
  unload(): Promise<void>
  /** Resolves when the next call can have it, here or at another worker. May be called more than once. */
  release(): Promise<void>
}

interface PoolOptions<T> {
  readonly locks: SessionLocks
  readonly clock: Clock
  /** Ends a conversation that leaves the memory. Another worker may have it by then: the store refuses what would get in between. */
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
  /** The time that a call waits for another worker, and its refusal then. Default: as long as its signal lets it. */
  readonly workers?: { readonly limit: number; readonly fault: (id: string) => Error }
}

interface PoolEntry<T> {
  readonly id: string
  /** The signals of the calls that have it or wait for it. */
  readonly callers: Set<AbortSignal>
  /** Resolves when they, and its end, are over. */
  last: Promise<void>
  value: T | undefined
  /** It is loaded, being loaded, or ending. */
  hasPlace: boolean
  lastUsed: number
}

/** The time that a call waits for its lock to be given back, in milliseconds: others may have it then at once. */
const RELEASE_LIMIT = 250

/** Conversations in memory: calls of one run one after the other, those of different ones at once. */
export function createConversationPool<T>(options: PoolOptions<T>) {
  const { locks, clock, limits, memoryFault, workers } = options
  /** The one that was used last is the last. */
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

  /** Waits for the calls before this one, and returns how to leave. */
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

  /** Ends one after its calls, so that it is not loaded again before. */
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
      // Before the next one of this process, which would wait for it.
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
    /** Calls that wait for others of their conversation. */
    get waiting(): number {
      return [...entries.values()].reduce((sum, { callers }) => sum + Math.max(0, callers.size - 1), 0)
    },
    /** Waits for a conversation. Rejects with the faults of the options, `signal.reason`, and errors of the locks. */
    async take(id: string, signal: AbortSignal): Promise<PoolLease<T>> {
      signal.throwIfAborted()
      const lease = await enter(entryOf(id), signal, () => takeLock(id, signal))
      if (lease === undefined) throw new Error('a lock that was waited for is there')
      return lease
    },
    /** The same without waiting; undefined when a call has it whose caller is still there, or another worker. */
    async tryTake(id: string, signal: AbortSignal): Promise<PoolLease<T> | undefined> {
      signal.throwIfAborted()
      const entry = entryOf(id)
      const isBusy = [...entry.callers].some(({ aborted }) => !aborted)
      return isBusy ? undefined : enter(entry, signal, () => locks.tryTake(id))
    },
    /** Ends what was quiet for a while. */
    async unloadIdle(): Promise<void> {
      const since = clock.now() - limits.idle
      const idle = inMemory().filter(({ lastUsed, callers }) => lastUsed <= since && callers.size === 0)
      await Promise.all(idle.map(drop))
    },
    /** Ends all, each in its turn. Rejects with the first error of `end` when all are over. */
    async close(): Promise<void> {
      const ended = await Promise.allSettled([...entries.values()].map(drop))
      for (const { status, reason } of ended as PromiseRejectedResult[])
        if (status === 'rejected') throw reason
    },
  }
}
