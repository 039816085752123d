/** Where time comes from. Injected, so that the same input gives the same output. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}
