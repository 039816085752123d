import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable, PalimpsestError, type Store } from '@palimpsest/core'
import { createLocalLocks, LOCK_TAKEN, type SessionLock, type SessionLocks } from '@palimpsest/gateway'

const LEASE_TIME = 30_000

const FIRST_PAUSE = 40
const LAST_PAUSE = 500

/** A job that is never finished; its holder has the session. */
const TURN = { id: 'turn', kind: 'lock', body: null }

export function locksOf(options: StoreLocksOptions): SessionLocks {
  return options.store.kind === 'postgres' ? createStoreLocks(options) : createLocalLocks()
}

interface StoreLocksOptions {
  readonly store: Store
  readonly principal: string
  readonly time?: number
}

/** Waiters poll, because a pooler keeps no connection for a client. */
export function createStoreLocks({ store, principal, time = LEASE_TIME }: StoreLocksOptions): SessionLocks {
  const locked = new Set<SessionLock>()

  const tryTake = async (name: string): Promise<SessionLock | undefined> => {
    const session = await store.session({ principal, key: name }, Date.now())
    const holder = randomUUID()
    const take = () => session.takeJob(TURN.id, { holder, now: Date.now(), ttl: time })
    let askedAt = performance.now()
    let isTaken = await take()
    if (!isTaken) {
      // This may be the first call of the session.
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
        // A later renewal would take it again.
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
          // A database that hangs may still grant it too late.
          taking.then(
            (late) => late?.release(),
            () => {},
          )
          throw error
        })
        if (lock !== undefined) return lock
        const longest = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** tries)
        // Random pauses keep waiting workers apart.
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
  readonly time: number
  readonly askedAt: number
  renew(): Promise<boolean>
  giveBack(): Promise<void>
}

const GIVE_BACK_PAUSE = 500

/**
 * Renews a lock at each third of its time. It is lost if another worker has it, or if it expired while the database was
 * unreachable.
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
    // A failed renewal is retried until the lock expires.
    const isOwn = await renew().catch(() => undefined)
    if (isOwn === false)
      return lose(new PalimpsestError(LOCK_TAKEN, `another worker has "${name}" now; try again`))
    if (isOwn === undefined || isOver) return
    runsOutAt = from + time
    clearTimeout(deadline)
    deadline = awaitEnd()
  }, time / 3).unref()

  /** Others, including this process, would have to wait until it expires. */
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
