import { abortable, ModelError } from '@palimpsest/core'

/** The longest delay that a timer takes, in milliseconds: 2^31 - 1. A longer one would end at once. */
export const LONGEST_TIMEOUT_MS = 2_147_483_647

/** The ways to end a call from outside. */
export interface Limits {
  /** Ends the work early; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until the work has failed with `MODEL_TIMEOUT`; at most `LONGEST_TIMEOUT_MS`. */
  readonly timeoutMs: number
  /** Makes the error of that failure. Default: one that names `timeoutMs`. */
  readonly timeoutError?: () => ModelError
}

/**
 * Runs work that can be aborted. On an abort by the caller or after the time limit it rejects at once with that
 * reason, even if the work ignores its signal. Work that fails by itself has its signal aborted too, so that an open
 * connection is closed. Unlike `AbortSignal.timeout`, the timer ends with the call, and keeps the process alive until
 * then.
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
