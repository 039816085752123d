import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from '@palimpsest/core'
import type { SessionLock, SessionLocks } from '@palimpsest/gateway'
import { packName } from '@palimpsest/lcm/store-kit'
import type { Database } from '@palimpsest/postgres/database'
import { keepLock } from './keep-lock.ts'
import { type LockRow, releaseLock, renewLock, takeLock } from './lock-row.ts'

/** Milliseconds after which the lock of a worker that does not answer any more is another one's. */
export const LEASE_TIME = 30_000

/** Milliseconds: the longest pause behind the first refusal, and of all. */
const FIRST_PAUSE = 40
const LAST_PAUSE = 500

export interface PostgresLocksOptions {
  readonly principal: string
  /** Milliseconds. Default `LEASE_TIME`. */
  readonly time?: number
}

/**
 * Locks for all workers on one database: rows of `SERVE_TABLES` that run out by the server's clock. Who waits asks again
 * and again, because a pooler that stands between keeps no connection for a client.
 *
 * @param database of `SERVE_TABLES`. It stays open.
 */
export function createPostgresLocks(
  database: Database,
  { principal, time = LEASE_TIME }: PostgresLocksOptions,
): SessionLocks {
  const scope = { principal: packName(principal) }
  const locked = new Set<SessionLock>()

  const tryTake = async (name: string): Promise<SessionLock | undefined> => {
    const holder = randomUUID()
    const askedAt = performance.now()
    const token = await database.write(scope, (sql) => takeLock(sql, { principal, name }, holder, time))
    if (token === undefined) return undefined
    const row: LockRow = { principal, name, token, holder }
    const lock = keepLock({
      token,
      name,
      time,
      askedAt,
      renew: () => database.write(scope, (sql) => renewLock(sql, row, time)),
      async giveBack() {
        locked.delete(lock)
        await database.write(scope, (sql) => releaseLock(sql, row))
      },
    })
    locked.add(lock)
    return lock
  }

  return {
    tryTake,
    async take(name, signal) {
      for (let tries = 0; ; tries++) {
        signal.throwIfAborted()
        const taking = tryTake(name)
        const lock = await abortable(taking, signal).catch((error: unknown) => {
          // A database that hangs may still give it out too late.
          taking.then(
            (late) => late?.release(),
            () => {},
          )
          throw error
        })
        if (lock !== undefined) return lock
        const longest = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** tries)
        // Workers that wait for the same do not ask in step.
        await sleep(longest * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
      }
    },
    async close() {
      await Promise.all([...locked].map((lock) => lock.release()))
    },
  }
}
