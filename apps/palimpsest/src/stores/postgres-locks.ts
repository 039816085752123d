import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable, PalimpsestError } from '@palimpsest/core'
import { LOCK_TAKEN, type SessionLock, type SessionLocks } from '@palimpsest/gateway'
import { packName } from '@palimpsest/lcm/store-kit'
import type { Database, Sql } from '@palimpsest/postgres/database'

/** Milliseconds after which the lock of a worker that does not answer any more is another one's. */
const LEASE_TIME = 30_000

/** Milliseconds: the longest pause behind the first refusal, and of all. */
const FIRST_PAUSE = 40
const LAST_PAUSE = 500

interface PostgresLocksOptions {
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

interface LockName {
  readonly principal: string
  readonly name: string
}

/** A lock that was given out. */
interface LockRow extends LockName {
  /** A UUID of this lock alone. */
  readonly holder: string
  readonly token: number
}

/**
 * Gives a lock out unless another holder has it. Asked again for the same holder, it says the same, so that it does no harm
 * when the answer is lost. Returns the token; undefined when another holder has it.
 *
 * @param time how long it lasts, in milliseconds.
 */
async function takeLock(
  sql: Sql,
  { principal, name }: LockName,
  holder: string,
  time: number,
): Promise<number | undefined> {
  const row = await sql.get<Pick<LockRow, 'token'>>(
    `INSERT INTO serve_lock AS locked (principal, name, token, holder, until)
     VALUES ($1, $2, 1, $3, clock_timestamp() + $4 * interval '1 ms')
     ON CONFLICT (principal, name) DO UPDATE SET holder = excluded.holder, until = excluded.until,
       token = locked.token + CASE WHEN locked.holder = excluded.holder THEN 0 ELSE 1 END
     WHERE locked.holder IS NULL OR locked.holder = excluded.holder OR locked.until <= clock_timestamp()
     RETURNING token`,
    ...[packName(principal), packName(name), holder, time],
  )
  return row?.token
}

/** Lets a lock last for so many milliseconds from now on. False when another holder has taken it. */
async function renewLock(sql: Sql, row: LockRow, time: number): Promise<boolean> {
  const renewed = await sql.run(
    `UPDATE serve_lock SET until = clock_timestamp() + $5 * interval '1 ms' WHERE ${IS_OWN}`,
    ...[...valuesOf(row), time],
  )
  return renewed > 0
}

/** Gives a lock back. One that another holder has taken is not the caller's to give. */
async function releaseLock(sql: Sql, row: LockRow): Promise<void> {
  await sql.run(`UPDATE serve_lock SET holder = NULL, until = NULL WHERE ${IS_OWN}`, ...valuesOf(row))
}

/** Whether a token is the latest of its name. The lock is not taken over before the end of the transaction. */
export async function fenceLock(sql: Sql, { principal, name }: LockName, token: number): Promise<boolean> {
  const row = await sql.get(
    `SELECT 1 FROM serve_lock WHERE principal = $1 AND name = $2 AND token = $3 AND holder IS NOT NULL
     FOR NO KEY UPDATE`,
    ...[packName(principal), packName(name), token],
  )
  return row !== undefined
}

const IS_OWN = 'principal = $1 AND name = $2 AND token = $3 AND holder = $4'

function valuesOf({ principal, name, token, holder }: LockRow) {
  return [packName(principal), packName(name), token, holder] as const
}

interface KeptLock {
  readonly token: number
  /** For people. */
  readonly name: string
  /** The time until it runs out unless it is renewed, in milliseconds. */
  readonly time: number
  /** When it was asked for, by `performance.now()`: it has not begun to run before. */
  readonly askedAt: number
  /** False when another worker has it. */
  renew(): Promise<boolean>
  giveBack(): Promise<void>
}

/** Milliseconds until it is tried again to give a lock back, such as when the database is being started again. */
const GIVE_BACK_PAUSE = 500

/**
 * Renews a lock at each third of its time until it is given back. It is lost when another worker has it, and when it has
 * run out while the database could not be reached: another worker may have it then.
 */
function keepLock({ token, name, time, askedAt, renew, giveBack }: KeptLock): SessionLock {
  const lost = new AbortController()
  let runsOutAt = askedAt + time
  let isOver = false
  let released: Promise<void> | undefined

  const end = (): void => {
    isOver = true
    clearInterval(renewals)
    clearTimeout(deadline)
  }
  const lose = (reason: Error): void => {
    if (isOver) return
    end()
    lost.abort(reason)
  }
  const awaitEnd = () =>
    setTimeout(() => lose(ranOut(name)), Math.max(0, runsOutAt - performance.now())).unref()

  let deadline = awaitEnd()
  const renewals = setInterval(async () => {
    const from = performance.now()
    // A renewal that fails is tried again with the next one, until the lock has run out.
    const isOwn = await renew().catch(() => undefined)
    if (isOwn === false) return lose(taken(name))
    if (isOwn === undefined || isOver) return
    runsOutAt = from + time
    clearTimeout(deadline)
    deadline = awaitEnd()
  }, time / 3).unref()

  /** Others, and this process too, would have to wait until it has run out. */
  const giveBackLater = (): void => {
    if (performance.now() < runsOutAt)
      setTimeout(() => giveBack().catch(giveBackLater), GIVE_BACK_PAUSE).unref()
  }

  return {
    token,
    signal: lost.signal,
    release() {
      end()
      released ??= giveBack().catch(giveBackLater)
      return released
    },
  }
}

function taken(name: string): Error {
  return new PalimpsestError(LOCK_TAKEN, `another worker has "${name}" now; try again`)
}

function ranOut(name: string): Error {
  return new PalimpsestError(
    'LOCK_LOST',
    `another worker may have "${name}" now: this one could not renew its lock; try again`,
  )
}
