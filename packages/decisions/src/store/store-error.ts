import { markErrors, PalimpsestError } from '@palimpsest/core'

/**
 * The faults of a store:
 * - `STORE_UNAVAILABLE`: it cannot be read or written now: no space, no permission, an I/O error.
 * - `STORE_BUSY`: others held it for longer than the time limit.
 * - `STORE_CORRUPT`: what is in it is damaged.
 * - `STORE_TOO_NEW`: a newer version of this package wrote it.
 * - `NOT_A_STORE`: there is something else in its place.
 * - `STORE_CONFLICT`: another writer was faster, or what is written does not follow on what is there.
 * - `STORE_CLOSED`: it was closed.
 */
export type StoreErrorCode =
  | 'STORE_UNAVAILABLE'
  | 'STORE_BUSY'
  | 'STORE_CORRUPT'
  | 'STORE_TOO_NEW'
  | 'NOT_A_STORE'
  | 'STORE_CONFLICT'
  | 'STORE_CLOSED'

/** A store could not do what it was asked. Nothing was half done. */
export class StoreError extends PalimpsestError {
  static override readonly isInstance = markErrors<StoreError>(StoreError, 'decisions.store')

  declare readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options)
  }
}
