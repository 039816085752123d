import { ModelError } from '@palimpsest/core'

export interface Limits {
  /** Ends the work early; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until the work has failed with `MODEL_TIMEOUT`. */
  readonly timeoutMs: number
}

/**
 * Runs work that can be aborted. When the caller aborts or the time is up, it rejects at once, even if the work does
 * not listen to the signal that it was given. Work that fails by itself has its signal aborted too, so that an open
 * connection is closed. The timer is our own and not `AbortSignal.timeout`: it ends with the call, and it keeps the
 * process alive until then.
 */
export async function withDeadline<T>(limits: Limits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs } = limits
  signal?.throwIfAborted()
  const controller = new AbortController()
  let end = () => {}
  try {
    return await new Promise<T>((resolve, reject) => {
      const stop = (reason: unknown) => {
        reject(reason)
        controller.abort(reason)
      }
      const onAbort = () => stop(signal?.reason)
      const timer = setTimeout(() => stop(timeoutError(timeoutMs)), timeoutMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      work(controller.signal).then(resolve, stop)
    })
  } finally {
    end()
  }
}

function timeoutError(timeoutMs: number): ModelError {
  return new ModelError(
    'timeout',
    `Gemini gave no answer in ${timeoutMs / 1000} s; try again or raise timeoutMs`,
  )
}
