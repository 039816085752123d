import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable, PalimpsestError, type Store } from '@palimpsest/core'
import { createLocalLocks, LOCK_TAKEN, type SessionLock, type SessionLocks } from '@palimpsest/gateway'

/** Milliseconds after which the lock of a worker that does not answer any more is another one's. */
const LEASE_TIME = 30_000

/** Milliseconds: the longest pause after the first refusal, and of all. */
const FIRST_PAUSE = 40
const LAST_PAUSE = 500

/** A job of each session that is never done: who has it, has the session. */
const TURN = { id: 'turn', kind: 'lock', body: null }

/** Locks for all workers on a store. Processes on one file see by what the store has that another one went on. */
export function locksOf(options: StoreLocksOptions): SessionLocks {
  return options.store.kind === 'postgres' ? createStoreLocks(options) : createLocalLocks()
}

interface StoreLocksOptions {
  readonly store: Store
  readonly principal: string
  readonly time?: number
}

/** Locks for all workers on one store. Who waits asks again and again: a pooler keeps no connection for a client. */
export function createStoreLocks({ store, principal, time = LEASE_TIME }: StoreLocksOptions): SessionLocks {
  const locked = new Set<SessionLock>()

  const tryTake = async (name: string): Promise<SessionLock | undefined> => {
    const session = await store.session({ principal, key: name }, Date.now())
    const holder = randomUUID()
    const take = () => session.takeJob(TURN.id, { holder, now: Date.now(), ttl: time })
    let askedAt = performance.now()
    let isTaken = await take()
    if (!isTaken) {
      // This may be the first call for it.
      await session.record({ scope: TURN.kind, events: [], jobs: [TURN] })
      askedAt = performance.now()
      isTaken = await take()
    }
    if (!isTaken) return undefined
    let renewing: Promise<unknown> = Promise.resolve()
    const lock = keepLock({
      ...{ name, time, askedAt },
      renew() {
        const renewed = take()
        renewing = renewed.catch(() => {})
        return renewed
      },
      async giveBack() {
        locked.delete(lock)
        // One that comes after would take it again.
        await renewing
        await session.releaseJob(TURN.id, holder)
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

interface KeptLock {
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
function keepLock({ name, time, askedAt, renew, giveBack }: KeptLock): SessionLock {
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
  const ranOut = `another worker may have "${name}" now: this one could not renew its lock; try again`
  const awaitEnd = () =>
    setTimeout(
      () => lose(new PalimpsestError('LOCK_LOST', ranOut)),
      Math.max(0, runsOutAt - performance.now()),
    ).unref()

  let deadline = awaitEnd()
  const renewals = setInterval(async () => {
    const from = performance.now()
    // A renewal that fails is tried again with the next one, until the lock has run out.
    const isOwn = await renew().catch(() => undefined)
    if (isOwn === false)
      return lose(new PalimpsestError(LOCK_TAKEN, `another worker has "${name}" now; try again`))
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
    signal: lost.signal,
    release() {
      end()
      released ??= giveBack().catch(giveBackLater)
      return released
    },
  }
}
