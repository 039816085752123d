import { abortable } from './abortable.ts'

/** Runs one task at a time, in the order of the calls. A failed task does not stop the next. */
export interface SerialQueue {
  /** Rejects with `signal.reason` as soon as the signal aborts; a task that has not begun then never does. */
  <T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** True when a task would begin before the call returns. */
  readonly idle: boolean
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  let pending = 0

  const enqueue = <T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const start = async (): Promise<T> => {
      try {
        signal?.throwIfAborted()
        return await task()
      } finally {
        pending--
      }
    }
    const isFirst = pending === 0
    pending++
    const run = isFirst ? start() : last.then(start)
    last = run.catch(() => {})
    return abortable(run, signal)
  }

  return Object.defineProperty(enqueue, 'idle', { get: () => pending === 0 }) as SerialQueue
}
