/**
 * How much an operation may cost in a large store, as a multiple of what it costs in a small one, to be called flat:
 * the depth of a B-tree grows with the file, and its upper pages leave the caches.
 */
export const FLAT = 1.5

/** What the floor of a comparison of two stores is called. `messages`: of the small one. */
export function sameAt(messages: number): string {
  return `the same at ${messages.toLocaleString('en-US')}`
}

/** What the comparison of an operation in two stores is called. */
export function growthOf(operation: string): string {
  return `growth, ${operation}`
}
