import { InvalidOptionError, markErrors, PalimpsestError } from '@palimpsest/core'

/**
 * - `STORE_UNAVAILABLE`: reading or writing failed: no space, no permission, no connection.
 * - `STORE_BUSY`: others held the store for longer than the time limit.
 * - `STORE_CORRUPT`: the content is damaged.
 * - `STORE_TOO_NEW`: a newer version of this package wrote it.
 * - `NOT_A_STORE`: the file or schema is something else.
 * - `STORE_CONFLICT`: another writer was faster; nothing was written, read the head again.
 * - `STORE_CLOSED`: the store was closed.
 * - `NOT_FOUND`: the session, version or summary does not exist.
 * - `INVALID_FRONTIER`: a list of summaries has a gap or an overlap, or covers replaced messages.
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

/** A store operation failed. Nothing was partly written. */
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

const LAST_TIME = 8.64e15

export function checkTime(path: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LAST_TIME) return value
  throw new InvalidOptionError(
    path,
    `${path}: expected milliseconds since the epoch, but got ${String(value)}; check the clock`,
  )
}

export function checkTokens(path: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value
  throw new InvalidOptionError(
    path,
    `${path}: expected a count of tokens, but got ${String(value)}; check the token counter`,
  )
}

export function checkName(path: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0')) return value
  throw new InvalidOptionError(
    path,
    `${path} must be a text of whole characters that is not empty, such as "talk-1"`,
  )
}
