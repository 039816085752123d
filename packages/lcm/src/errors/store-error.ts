import { markErrors, PalimpsestError } from '@palimpsest/core'

/**
 * A fault of a store:
 * - `STORE_UNAVAILABLE`: it cannot be read or written now: no space, no permission, no connection, an I/O error.
 * - `STORE_BUSY`: others held it for longer than the time limit.
 * - `STORE_CORRUPT`: what is in it is damaged.
 * - `STORE_TOO_NEW`: a newer version of this package wrote it.
 * - `NOT_A_STORE`: there is something else in its place.
 * - `STORE_CONFLICT`: another writer was faster; see `StoreConflictError`.
 * - `STORE_CLOSED`: it was closed.
 * - `NOT_FOUND`: there is no such session, version or node.
 * - `INVALID_FRONTIER`: a list of summaries leaves a gap, overlaps, or covers what is replaced.
 * - `INVALID_EXPORT`: an export is incomplete, damaged or from a newer version.
 */
export type StoreErrorCode =
  | 'STORE_UNAVAILABLE'
  | 'STORE_BUSY'
  | 'STORE_CORRUPT'
  | 'STORE_TOO_NEW'
  | 'NOT_A_STORE'
  | 'STORE_CONFLICT'
  | 'STORE_CLOSED'
  | 'NOT_FOUND'
  | 'INVALID_FRONTIER'
  | 'INVALID_EXPORT'

/** A store could not do what it was asked. Nothing was half done. */
export class StoreError extends PalimpsestError {
  static override readonly isInstance = markErrors<StoreError>(StoreError, 'lcm.store')

  declare readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options)
  }
}

export function versionNotFound(key: string, version: number): StoreError {
  return new StoreError('NOT_FOUND', `${key} has no frontier version ${version}`)
}

/** Another writer changed the session first. Nothing was written; read the head again. Code `STORE_CONFLICT`. */
export class StoreConflictError extends StoreError {
  static override readonly isInstance = markErrors<StoreConflictError>(
    StoreConflictError,
    'lcm.store-conflict',
  )

  constructor(message: string, options?: { cause?: unknown }) {
    super('STORE_CONFLICT', message, options)
  }
}
