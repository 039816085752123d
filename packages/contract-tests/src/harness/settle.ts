import { setImmediate, setTimeout } from 'node:timers/promises'
import { errorText, PalimpsestError } from '@palimpsest/core'

export type Outcome<T> = { readonly value: T } | { readonly error: unknown }

export function outcomeOf<T>(promise: Promise<T>): Promise<Outcome<T>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}

/**
 * Waits until something holds, and says whether it did within so many turns of the event loop, each of a millisecond or
 * more. Default 1,000.
 */
export async function waitUntil(holds: () => boolean, turns = 1_000): Promise<boolean> {
  for (let turn = 0; !holds(); turn++) {
    if (turn === turns) return false
    await setTimeout(1)
  }
  return true
}

/** The coded error of a refused call. Undefined if the call succeeds; any other error is a failure. */
export async function refusalOf(call: () => unknown): Promise<PalimpsestError | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    if (PalimpsestError.isInstance(error)) return error
    throw new Error(`it failed with an error that has no code: ${errorText(error)}`, { cause: error })
  }
}

export async function unlessRefused<T>(call: () => Promise<T>): Promise<T | undefined> {
  let value: T | undefined
  await refusalOf(async () => {
    value = await call()
  })
  return value
}

/**
 * Runs a task and returns the reasons of rejections left unhandled. Other listeners are suspended: a test runner would
 * blame another test, and without listeners the process would end.
 */
export async function unhandledRejections(run: () => Promise<unknown>): Promise<unknown[]> {
  const reasons: unknown[] = []
  const others = process.listeners('unhandledRejection')
  const listen = (reason: unknown) => reasons.push(reason)
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', listen)
  try {
    await run()
    // Node reports a rejection when the queue of microtasks is empty.
    await setImmediate()
  } finally {
    process.off('unhandledRejection', listen)
    for (const other of others) process.on('unhandledRejection', other)
  }
  return reasons
}
