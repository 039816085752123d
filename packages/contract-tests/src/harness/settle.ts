import { setTimeout } from 'node:timers/promises'

/** The outcome of a promise. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** Waits for a promise that may reject long before it is awaited. */
export function outcomeOf<T>(promise: Promise<T>): Promise<Outcome<T>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}

/** Waits until something holds, and says whether it did within so many milliseconds. Default: a second. */
export async function waitUntil(holds: () => boolean, limitMs = 1_000): Promise<boolean> {
  const end = performance.now() + limitMs
  while (!holds()) {
    if (performance.now() > end) return false
    await setTimeout(1)
  }
  return true
}
