import { InvalidOptionError, markErrors, PalimpsestError } from '@palimpsest/core'

/**
 * - `STORE_UNAVAILABLE`: it cannot be read or written now: no space, no permission, no connection.
 * - `STORE_BUSY`: others held it for longer than the time limit.
 * - `STORE_CORRUPT`: what is in it is damaged.
 * - `STORE_TOO_NEW`: a newer version of this package wrote it.
 * - `NOT_A_STORE`: there is something else in its place.
 * - `STORE_CONFLICT`: another writer was faster; nothing was written, read the head again.
 * - `STORE_CLOSED`: it was closed.
 * - `NOT_FOUND`: there is no such session, version or summary.
 * - `INVALID_FRONTIER`: a list of summaries leaves a gap, overlaps, or covers what is replaced.
 * - `INVALID_EXPORT`: an export is incomplete, damaged, or from another version.
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
  static override readonly isInstance = markErrors<StoreError>(StoreError, 'store')

  declare readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options)
  }
}

export function storeConflict(message: string): StoreError {
  return new StoreError('STORE_CONFLICT', `${message}: another writer was faster; read the head again`)
}

/** The last moment that a `Date` can hold, in milliseconds since the epoch. */
const LAST_TIME = 8.64e15

/** Refuses the time of a broken clock before it is written. @throws InvalidOptionError */
export function checkTime(path: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LAST_TIME) return value
  throw new InvalidOptionError(
    path,
    `${path}: expected milliseconds since the epoch, but got ${String(value)}; check the clock`,
  )
}

/** Refuses the count of a broken counter before it is written. @throws InvalidOptionError */
export function checkTokens(path: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value
  throw new InvalidOptionError(
    path,
    `${path}: expected a count of tokens, but got ${String(value)}; check the token counter`,
  )
}

/** Refuses an id that a database cannot hold. @throws InvalidOptionError */
export function checkName(path: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0')) return value
  throw new InvalidOptionError(
    path,
    `${path} must be a text of whole characters that is not empty, such as "talk-1"`,
  )
}
