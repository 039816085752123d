import { PalimpsestError } from '@palimpsest/core'
import { LOCK_TAKEN, type SessionLock } from '@palimpsest/gateway'

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
export function keepLock({ token, name, time, askedAt, renew, giveBack }: KeptLock): SessionLock {
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
