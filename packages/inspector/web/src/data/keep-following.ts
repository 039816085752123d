import { ApiError } from './api.ts'
import { PageDataError } from './page-data-error.ts'

/** Milliseconds before the first new attempt; each further one waits twice as long. */
const FIRST_WAIT = 500
const LONGEST_WAIT = 10_000

export interface FollowOptions {
  /** Reads until the source ends; calls `alive` when it has an answer. */
  readonly read: (alive: () => void) => Promise<void>
  /** Called when the source ended or failed, before the next attempt. */
  readonly onLost: (error: unknown) => void
  /** Called instead when trying again is of no use. */
  readonly onEnd: (error: ApiError | PageDataError) => void
  readonly signal: AbortSignal
  /** Waits; rejects when aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Reads from a source again and again, whatever happens to it, until aborted. */
export async function keepFollowing({ read, onLost, onEnd, signal, wait }: FollowOptions): Promise<void> {
  let delay = FIRST_WAIT
  while (!signal.aborted) {
    let failure: unknown
    try {
      await read(() => {
        delay = FIRST_WAIT
      })
    } catch (error) {
      failure = error
    }
    if (signal.aborted) return
    if (isFinal(failure)) return onEnd(failure)
    onLost(failure)
    await wait(delay, signal).catch(() => {})
    delay = Math.min(delay * 2, LONGEST_WAIT)
  }
}

const isFinal = (error: unknown): error is ApiError | PageDataError =>
  error instanceof PageDataError || (error instanceof ApiError && error.status === 401)
