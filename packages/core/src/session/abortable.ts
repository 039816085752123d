/**
 * Settles with the promise, or rejects with `signal.reason` as soon as the signal aborts, so that a callee
 * that ignores its signal cannot hold the caller. What the callee returns later is dropped.
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
