import { abortable, ModelError } from '@palimpsest/core'

/** The maximum delay of a timer, in milliseconds: 2^31 - 1. A longer one would fire at once. */
export const LONGEST_TIMEOUT_MS = 2_147_483_647

/** The limits of a call. */
export interface Limits {
  readonly signal?: AbortSignal | undefined
  /** Time limit in milliseconds, at most `LONGEST_TIMEOUT_MS`; the work then fails with `MODEL_TIMEOUT`. */
  readonly timeoutMs: number
  /** Creates the timeout error. Default: one that names `timeoutMs`. */
  readonly timeoutError?: () => ModelError
}

/**
 * Runs abortable work. On an abort or after the time limit it rejects at once, even if the work ignores its signal. The
 * signal is also aborted if the work fails, so that open connections are closed. Unlike `AbortSignal.timeout`, the
 * timer ends with the call, and keeps the process alive until then.
 */
export async function withDeadline<T>(limits: Limits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs, timeoutError = () => tookTooLong(timeoutMs) } = limits
  signal?.throwIfAborted()
  const controller = new AbortController()
  const ended = AbortSignal.any([controller.signal, ...(signal === undefined ? [] : [signal])])
  const timer = setTimeout(() => controller.abort(timeoutError()), timeoutMs)
  try {
    return await abortable(work(ended), ended)
  } catch (error) {
    ended.throwIfAborted()
    controller.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function tookTooLong(timeoutMs: number): ModelError {
  return new ModelError(
    'timeout',
    `there was no complete answer in ${timeoutMs / 1000} s; try again or raise timeoutMs`,
  )
}
