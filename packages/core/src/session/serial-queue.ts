/** Runs one task at a time, in the order of the calls. A failed task does not stop the next. */
export type SerialQueue = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** A queue for one session. A task whose signal is aborted before its turn never starts. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (task, signal) => {
    const run = last.then(() => {
      signal?.throwIfAborted()
      return task()
    })
    last = run.catch(() => {})
    return run
  }
}
