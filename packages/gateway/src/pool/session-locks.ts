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
  /** Grows from holder to holder: a write that names it is refused when a later one has taken the session over. */
  readonly token: number
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
    return { token: 0, signal: new AbortController().signal, release: async () => {} }
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
