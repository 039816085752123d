import type { CompletionCall } from '@palimpsest/core'
import { type ModelAnswer, PLAUSIBLE_SUMMARY, STALL } from './scripted-model.ts'

/** Why the calls of this suite are aborted. */
const ABORT_REASON = new Error('aborted by the contract suite')

/**
 * Makes a call and aborts it when it has waited `ticks` rounds of the event loop. Resolves with what the call
 * returned if it was quicker, with undefined when it rejected with the signal's reason; every other rejection passes.
 */
export async function abortSoon<T>(
  call: (signal: AbortSignal) => Promise<T>,
  ticks = 1,
): Promise<T | undefined> {
  const controller = new AbortController()
  const pending = call(controller.signal).catch((error: unknown) => {
    if (error === ABORT_REASON) return undefined
    throw error
  })
  // Settled later, and not unhandled until then.
  pending.catch(() => {})
  for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate)
  controller.abort(ABORT_REASON)
  return pending
}

/** The model's behaviour while a call is to be aborted: it stalls, but answers a call without a signal. */
export function stallsUntilAborted({ signal }: CompletionCall): ModelAnswer {
  return signal === undefined ? PLAUSIBLE_SUMMARY : STALL
}
