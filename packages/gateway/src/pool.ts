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

/** The time that a call waits for a lock to be given back, in milliseconds: others may have it then at once. */
const RELEASE_LIMIT = 250

/** Gives a lock back, and waits for it a moment at most. */
export async function giveBack(lock: SessionLock): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, RELEASE_LIMIT)
  await Promise.race([lock.release(), late.promise]).finally(() => clearTimeout(timer))
}

/** One call, until its answer is over. */
export interface RunningCall {
  /** Aborts when the caller goes away, when a shutdown cannot wait any longer, and when the call is stopped. */
  readonly signal: AbortSignal
  /** The caller reads no more. */
  abandon(): void
  /** It cannot go on. */
  stop(reason: Error): void
  /** May be called more than once. */
  end(): void
}

/** The calls that are being answered. */
export interface RunningCalls {
  /**
   * @param caller aborted when the caller goes away. Servers abort it with whatever they like.
   * @throws the fault of a shutdown when no more calls are taken.
   */
  begin(caller: AbortSignal): RunningCall
  /** Takes no more, and resolves when all are over; those that take longer than `limit` milliseconds are aborted. */
  drain(limit: number): Promise<void>
}

/**
 * @param shutdownFault refuses a call, and ends one that takes too long, because the service ends.
 * @param goneFault ends a call whose caller went away. Default: the reason of the caller's signal.
 */
export function createRunningCalls(shutdownFault: () => Error, goneFault?: () => Error): RunningCalls {
  const running = new Set<AbortController>()
  const drained = Promise.withResolvers<void>()
  let isClosed = false
  const settle = () => {
    if (isClosed && running.size === 0) drained.resolve()
  }
  return {
    begin(caller) {
      if (isClosed) throw shutdownFault()
      const controller = new AbortController()
      const abandon = () => controller.abort(goneFault?.() ?? caller.reason)
      running.add(controller)
      if (caller.aborted) abandon()
      else caller.addEventListener('abort', abandon, { once: true })
      return {
        signal: controller.signal,
        abandon,
        stop: (reason) => controller.abort(reason),
        end() {
          running.delete(controller)
          settle()
        },
      }
    },
    async drain(limit) {
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
  /** Ends it, if it is in memory. Its engine may write then: a lease that was lost waits a while for another one. */
  unload(): Promise<void>
  /** Resolves when the next call can have it, here or at another worker. May be called more than once. */
  release(): Promise<void>
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
  /** The time that a call waits for another worker, and its refusal then. Default: as long as its signal lets it. */
  readonly workers?: { readonly limit: number; readonly fault: (id: string) => Error }
}

interface PoolEntry<T> {
  readonly id: string
  readonly queue: TurnQueue
  value: T | undefined
  /** It is loaded, or being loaded. */
  hasPlace: boolean
  lastUsed: number
}

/** The time that the end of a conversation waits for another worker that has it, in milliseconds. */
const END_LIMIT = 5_000

/** Conversations in memory: calls of one run one after the other, those of different ones at once. */
export class ConversationPool<T> {
  readonly #options: PoolOptions<T>
  readonly #lockName: (id: string) => string
  /** The one that was used last is the last. */
  readonly #entries = new Map<string, PoolEntry<T>>()

  constructor(options: PoolOptions<T>) {
    this.#options = options
    this.#lockName = options.lockName ?? ((id) => id)
  }

  get loaded(): number {
    return this.#inMemory().length
  }

  get waiting(): number {
    return [...this.#entries.values()].reduce((sum, { queue }) => sum + queue.waiting, 0)
  }

  /** Waits for a conversation. Rejects with the faults of the options, `signal.reason`, and errors of the locks. */
  async take(id: string, signal: AbortSignal): Promise<PoolLease<T>> {
    const lease = await this.#enter(this.#entryOf(id), signal, () => this.#takeLock(id, signal))
    if (lease === undefined) throw new Error('a lock that was waited for is there')
    return lease
  }

  /** The same without waiting; undefined when a call has it whose caller is still there, or another worker. */
  async tryTake(id: string, signal: AbortSignal): Promise<PoolLease<T> | undefined> {
    const entry = this.#entryOf(id)
    return entry.queue.isBusy ? undefined : this.#enter(entry, signal, () => this.#tryLock(id))
  }

  /** Ends what was quiet for a while. What another worker has stays until it was quiet for as long once more. */
  async unloadIdle(): Promise<void> {
    const { clock, limits } = this.#options
    const since = clock.now() - limits.idle
    const idle = [...this.#entries.values()].filter(
      ({ lastUsed, queue }) => lastUsed <= since && queue.isFree,
    )
    await Promise.all(idle.map((entry) => this.#tryDrop(entry)))
  }

  /** Ends all, each in its turn. Rejects with the first error of `end` when all are over. */
  async close(): Promise<void> {
    const drop = (entry: PoolEntry<T>) =>
      this.#inTurn(entry, async () => this.#end(entry, await this.#lockToEnd(entry.id)))
    const ended = await Promise.allSettled([...this.#entries.values()].map(drop))
    const failed = ended.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  #inMemory(): PoolEntry<T>[] {
    return [...this.#entries.values()].filter(({ hasPlace }) => hasPlace)
  }

  #entryOf(id: string): PoolEntry<T> {
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    const { clock, limits, queueFault } = this.#options
    const queue = createTurnQueue(limits.queue, queueFault)
    const entry: PoolEntry<T> = { id, queue, value: undefined, hasPlace: false, lastUsed: clock.now() }
    this.#entries.set(id, entry)
    return entry
  }

  #forget({ id, hasPlace, queue }: PoolEntry<T>): void {
    if (!hasPlace && queue.isFree) this.#entries.delete(id)
  }

  #touch(entry: PoolEntry<T>): void {
    entry.lastUsed = this.#options.clock.now()
    if (this.#entries.delete(entry.id)) this.#entries.set(entry.id, entry)
  }

  async #takeLock(id: string, signal: AbortSignal): Promise<SessionLock> {
    const { locks, workers } = this.#options
    if (workers === undefined) return locks.take(this.#lockName(id), signal)
    const waited = AbortSignal.timeout(workers.limit)
    return locks.take(this.#lockName(id), AbortSignal.any([signal, waited])).catch((error: unknown) => {
      throw waited.aborted && !signal.aborted ? workers.fault(id) : error
    })
  }

  #tryLock(id: string): Promise<SessionLock | undefined> {
    return this.#options.locks.tryTake(this.#lockName(id))
  }

  #lockToEnd(id: string): Promise<SessionLock | undefined> {
    const late = AbortSignal.timeout(END_LIMIT)
    return this.#options.locks.take(this.#lockName(id), late).catch(() => undefined)
  }

  async #enter(
    entry: PoolEntry<T>,
    signal: AbortSignal,
    take: () => Promise<SessionLock | undefined>,
  ): Promise<PoolLease<T> | undefined> {
    const leave = await entry.queue.take(signal)
    let lock: SessionLock | undefined
    try {
      lock = await take()
    } finally {
      if (lock === undefined) {
        leave()
        this.#forget(entry)
      }
    }
    return lock && this.#lease(entry, lock, leave)
  }

  #lease(entry: PoolEntry<T>, lock: SessionLock, leave: () => void): PoolLease<T> {
    return {
      lock,
      get value() {
        return entry.value
      },
      load: async (open) => {
        if (entry.value !== undefined) return entry.value
        await this.#makeRoom()
        entry.hasPlace = true
        try {
          entry.value = await open()
          return entry.value
        } catch (error) {
          entry.hasPlace = false
          throw error
        }
      },
      unload: async () => {
        if (entry.value === undefined) return
        await this.#end(entry, lock.signal.aborted ? await this.#lockToEnd(entry.id) : undefined)
      },
      release: async () => {
        this.#touch(entry)
        // Before the next one of this process, which would wait for it.
        await giveBack(lock)
        leave()
        this.#forget(entry)
      },
    }
  }

  async #makeRoom(): Promise<void> {
    const { limits, memoryFault } = this.#options
    while (this.#inMemory().length >= limits.loaded)
      if (!(await this.#dropOldest())) {
        if (memoryFault !== undefined) throw memoryFault()
        return
      }
  }

  async #dropOldest(): Promise<boolean> {
    const idle = this.#inMemory().filter(({ queue }) => queue.isFree)
    for (const entry of idle) if (await this.#tryDrop(entry)) return true
    return false
  }

  /**
   * Ends one under a lock: its engine may have something left to write, which must not get in between what another worker
   * writes. Returns whether it left the memory.
   */
  async #tryDrop(entry: PoolEntry<T>): Promise<boolean> {
    await this.#inTurn(entry, async () => {
      const lock = await this.#tryLock(entry.id).catch(() => undefined)
      this.#touch(entry)
      if (lock !== undefined) await this.#end(entry, lock)
    })
    return !entry.hasPlace
  }

  /** Does work on a conversation in its turn, so that it is not loaded again before it has ended. */
  async #inTurn(entry: PoolEntry<T>, work: () => Promise<void>): Promise<void> {
    try {
      await entry.queue.runAnyway(async () => {
        if (entry.value !== undefined) await work()
      })
    } finally {
      this.#forget(entry)
    }
  }

  async #end(entry: PoolEntry<T>, lock: SessionLock | undefined): Promise<void> {
    const { value } = entry
    entry.value = undefined
    try {
      if (value !== undefined) await this.#options.end(value)
    } finally {
      entry.hasPlace = false
      if (lock !== undefined) await giveBack(lock)
    }
  }
}

export type TurnQueue = ReturnType<typeof createTurnQueue>

/**
 * Lets one request of a conversation in at a time, in the order in which they came.
 *
 * @param limit requests that may have it or wait for it.
 * @param fault refuses the next one.
 */
export function createTurnQueue(limit: number, fault: (waiting: number) => Error) {
  const holders = new Set<AbortSignal>()
  let last: Promise<void> = Promise.resolve()
  let tasks = 0

  const stand = (): { readonly before: Promise<void>; readonly leave: () => void } => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = before.then(() => promise)
    return { before, leave: resolve }
  }

  return {
    /**
     * Waits for the turn and returns how to end it, which may be called more than once.
     *
     * @throws the fault when too many wait; `signal.reason` on abort.
     */
    async take(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted()
      if (holders.size >= limit) throw fault(holders.size)
      const { before, leave } = stand()
      holders.add(signal)
      const release = () => {
        holders.delete(signal)
        leave()
      }
      try {
        await abortable(before, signal)
        return release
      } catch (error) {
        release()
        throw error
      }
    },
    /** For what has to be done however many wait. */
    async runAnyway(task: () => Promise<void>): Promise<void> {
      const { before, leave } = stand()
      tasks++
      try {
        await before
        await task()
      } finally {
        tasks--
        leave()
      }
    },
    get waiting() {
      return Math.max(0, holders.size - 1)
    },
    /** Whether no call has it or waits for it. */
    get isFree() {
      return holders.size === 0 && tasks === 0
    },
    /** Whether a request has it or waits for it whose client is still there. */
    get isBusy() {
      return [...holders].some(({ aborted }) => !aborted)
    },
  }
}
