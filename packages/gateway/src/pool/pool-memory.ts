import type { Clock } from '@palimpsest/core'
import type { SessionLock, SessionLocks } from './session-locks.ts'
import { createTurnQueue, type TurnQueue } from './turn-queue.ts'

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

export interface PoolEntry<T> {
  readonly id: string
  readonly queue: TurnQueue
  value: T | undefined
  /** It is loaded, or being loaded. */
  hasPlace: boolean
  lastUsed: number
}

/** The time that the end of a conversation waits for another worker that has it, in milliseconds. */
const END_LIMIT = 5_000
/** The time that a call waits for a lock to be given back, in milliseconds: others may have it then at once. */
const RELEASE_LIMIT = 250

/** The entries of a pool: makes room, and ends conversations that leave the memory. */
export interface PoolMemory<T> {
  readonly loaded: number
  readonly waiting: number
  entryOf(id: string): PoolEntry<T>
  /** Drops an entry that is not in memory and that no call waits for. */
  forget(entry: PoolEntry<T>): void
  /** Rejects with the memory fault when every conversation is busy. */
  makeRoom(): Promise<void>
  /** Ends a conversation under a lock, or under one that is taken for it. */
  end(entry: PoolEntry<T>, lock: SessionLock | undefined): Promise<void>
  /** Waits a while for the lock; undefined when another worker keeps it. */
  takeToEnd(id: string): Promise<SessionLock | undefined>
  /** It was used just now. */
  touch(entry: PoolEntry<T>): void
  unloadIdle(): Promise<void>
  close(): Promise<void>
}

export function createPoolMemory<T>(options: PoolOptions<T>): PoolMemory<T> {
  const { locks, lockName = (id) => id, clock, limits, queueFault, memoryFault } = options
  /** The one that was used last is the last. */
  const entries = new Map<string, PoolEntry<T>>()
  const inMemory = () => [...entries.values()].filter(({ hasPlace }) => hasPlace)

  const touch = (entry: PoolEntry<T>): void => {
    entry.lastUsed = clock.now()
    if (entries.delete(entry.id)) entries.set(entry.id, entry)
  }

  const forget = ({ id, hasPlace, queue }: PoolEntry<T>): void => {
    if (!hasPlace && queue.isFree) entries.delete(id)
  }

  const takeToEnd = (id: string): Promise<SessionLock | undefined> =>
    locks.take(lockName(id), AbortSignal.timeout(END_LIMIT)).catch(() => undefined)

  const end = (entry: PoolEntry<T>, lock: SessionLock | undefined) => endEntry(entry, lock, options.end)

  /** Does work on a conversation in its turn, so that it is not loaded again before it has ended. */
  const inTurn = async (entry: PoolEntry<T>, work: () => Promise<void>): Promise<void> => {
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
  const tryDrop = async (entry: PoolEntry<T>): Promise<boolean> => {
    await inTurn(entry, async () => {
      const lock = await locks.tryTake(lockName(entry.id)).catch(() => undefined)
      touch(entry)
      if (lock !== undefined) await end(entry, lock)
    })
    return !entry.hasPlace
  }

  const dropOldest = async (): Promise<boolean> => {
    const idle = inMemory().filter(({ queue }) => queue.isFree)
    for (const entry of idle) if (await tryDrop(entry)) return true
    return false
  }

  return {
    get loaded() {
      return inMemory().length
    },
    get waiting() {
      return [...entries.values()].reduce((sum, { queue }) => sum + queue.waiting, 0)
    },
    entryOf(id) {
      const known = entries.get(id)
      if (known !== undefined) return known
      const queue = createTurnQueue(limits.queue, queueFault)
      const entry: PoolEntry<T> = { id, queue, value: undefined, hasPlace: false, lastUsed: clock.now() }
      entries.set(id, entry)
      return entry
    },
    forget,
    async makeRoom() {
      while (inMemory().length >= limits.loaded)
        if (!(await dropOldest())) {
          if (memoryFault !== undefined) throw memoryFault()
          return
        }
    },
    end,
    takeToEnd,
    touch,
    async unloadIdle() {
      const since = clock.now() - limits.idle
      const idle: PoolEntry<T>[] = []
      for (const entry of entries.values()) {
        if (entry.lastUsed > since) break
        if (entry.queue.isFree) idle.push(entry)
      }
      await Promise.all(idle.map(tryDrop))
    },
    async close() {
      const drop = (entry: PoolEntry<T>) => inTurn(entry, async () => end(entry, await takeToEnd(entry.id)))
      await settle([...entries.values()].map(drop))
    },
  }
}

/** Waits for all, and rejects with the first error. */
async function settle(tasks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function endEntry<T>(
  entry: PoolEntry<T>,
  lock: SessionLock | undefined,
  end: PoolOptions<T>['end'],
): Promise<void> {
  const { value } = entry
  entry.value = undefined
  try {
    if (value !== undefined) await end(value)
  } finally {
    entry.hasPlace = false
    if (lock !== undefined) await giveBack(lock)
  }
}

/** Gives a lock back, and waits for it a moment at most. */
export async function giveBack(lock: SessionLock): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, RELEASE_LIMIT)
  await Promise.race([lock.release(), late.promise]).finally(() => clearTimeout(timer))
}
