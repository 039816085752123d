/** What became of a promise. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** Waits for a promise that may reject, also long before somebody waits. */
export function outcomeOf<T>(promise: Promise<T>): Promise<Outcome<T>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}
