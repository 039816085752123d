import { createSerialQueue } from '@palimpsest/core'
import { ServiceFault } from '../http/service-fault.ts'

/** Runs one task at a time, and refuses what would wait too long. */
export interface BoundedQueue {
  /**
   * Rejects with `signal.reason` when the signal aborts before the task begins; a task that has begun sees to the
   * signal itself, so that what it has committed is answered.
   *
   * @throws ServiceFault 429 when too many wait already.
   */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** For what has to be done however many wait. */
  runAnyway<T>(task: () => Promise<T>): Promise<T>
  /** Tasks that run or wait. */
  readonly pending: number
}

/** `limit`: tasks that may run or wait at once. */
export function createBoundedQueue(limit: number): BoundedQueue {
  const enqueue = createSerialQueue()
  let pending = 0

  const counted = async <T>(task: () => Promise<T>): Promise<T> => {
    try {
      return await task()
    } finally {
      pending--
    }
  }

  return {
    async run(task, signal) {
      if (pending >= limit)
        throw new ServiceFault(
          429,
          'session-busy',
          `${pending} calls of this session wait already; try again`,
          {
            retryAfter: 1,
          },
        )
      pending++
      let onAbort = () => {}
      const waiting = new Promise<never>((_, reject) => {
        onAbort = () => reject(signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
      })
      const running = enqueue(() => {
        signal.removeEventListener('abort', onAbort)
        return counted(async () => {
          signal.throwIfAborted()
          return task()
        })
      })
      return Promise.race([running, waiting])
    },
    runAnyway(task) {
      pending++
      return enqueue(() => counted(task))
    },
    get pending() {
      return pending
    },
  }
}
