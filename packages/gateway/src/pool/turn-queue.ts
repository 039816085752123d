import { abortable } from '@palimpsest/core'

/** Lets one request of a conversation in at a time, in the order in which they came. */
export interface TurnQueue {
  /**
   * Waits for the turn and returns how to end it, which may be called more than once.
   *
   * @throws the fault when too many wait; `signal.reason` on abort.
   */
  take(signal: AbortSignal): Promise<() => void>
  /** For what has to be done however many wait. */
  runAnyway(task: () => Promise<void>): Promise<void>
  /** Requests that wait for it. */
  readonly waiting: number
  /** Whether no call has it or waits for it. */
  readonly isFree: boolean
  /** Whether a request has it or waits for it whose client is still there. */
  readonly isBusy: boolean
}

/**
 * @param limit requests that may have it or wait for it.
 * @param fault refuses the next one.
 */
export function createTurnQueue(limit: number, fault: (waiting: number) => Error): TurnQueue {
  const holders = new Set<AbortSignal>()
  let last: Promise<void> = Promise.resolve()
  let tasks = 0

  /** A place at the end of the queue. */
  const stand = (): { readonly before: Promise<void>; readonly leave: () => void } => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = before.then(() => promise)
    return { before, leave: resolve }
  }

  return {
    async take(signal) {
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
    async runAnyway(task) {
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
    get isFree() {
      return holders.size === 0 && tasks === 0
    },
    get isBusy() {
      return [...holders].some(({ aborted }) => !aborted)
    },
  }
}
