/** A store that can be asked whether it is in order. */
export interface CheckedStore {
  /** `sessions`, or the name of an engine. */
  readonly name: string
  readonly kind: string
  /**
   * Reads something, and after a write to its file that failed tries one. Rejects with the error of a store that cannot be
   * used.
   */
  check(): Promise<unknown>
}
