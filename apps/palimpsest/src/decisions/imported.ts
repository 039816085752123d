import type { Scope } from '@palimpsest/decisions'

export interface Imported {
  readonly scope: Scope
  /** Events that the store did not have. */
  readonly added: number
  /** Events that it had. */
  readonly known: number
  /** Records that are as they were exported from the store. */
  readonly unchanged: number
  readonly warnings: readonly string[]
}
