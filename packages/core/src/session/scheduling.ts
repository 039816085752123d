/**
 * Settles with the promise, or rejects with `signal.reason` as soon as the signal aborts, even if the callee ignores
 * the signal. A late result is dropped.
 */
export async function abortable<T>(value: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return value
  const promise = Promise.resolve(value)
  promise.catch(() => {})
  signal.throwIfAborted()
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}

export interface SerialQueue {
  /** Rejects with `signal.reason` as soon as the signal aborts; a queued task then never starts. */
  <T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** True if a task would start before the call returns. */
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

const SLICE = 2

/**
 * Splits long work so that other conversations of the process can run: the returned function yields to the
 * event loop if 2 ms have passed since the last yield.
 *
 * @example
 * const pause = createPause()
 * for (const message of messages) {
 * read(message)
 * await pause()
 * }
 */
export function createPause(): () => Promise<void> | undefined {
  let begin = performance.now()
  return () => {
    if (performance.now() - begin < SLICE) return undefined
    return new Promise((resolve) => {
      // A server accepts a connection in one turn of the event loop, and reads its request in the next.
      setTurn(() =>
        setTurn(() => {
          begin = performance.now()
          resolve()
        }),
      )
    })
  }
}

export type Sliced<Result> = Generator<void, Result>

export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  const pause = createPause()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await pause()
  }
}

const setTurn: (resume: () => void) => unknown = globalThis.setImmediate ?? setTimeout
