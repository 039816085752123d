import { StoreError } from '../errors.ts'

/** Primary result codes of SQLite, see https://www.sqlite.org/rescode.html. */
const CODES = {
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
}

function resultCode(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined
}

const isOneOf =
  (...names: (keyof typeof CODES)[]) =>
  (error: unknown): boolean =>
    names.some((name) => CODES[name] === resultCode(error))

export const isBusy = isOneOf('BUSY', 'LOCKED')
/** These errors end only with a new connection. */
export const isFileFault = isOneOf('READONLY', 'IOERR', 'CANTOPEN')
/** Pages do not match: the file is damaged, or was read during a write. */
export const isMisfit = isOneOf('CORRUPT')
const isFull = isOneOf('FULL')
const isNoDatabase = isOneOf('NOTADB')
/** A constraint fails only if a row contradicts the counters. */
const isDamage = isOneOf('CORRUPT', 'CONSTRAINT')

export function toStoreError(error: unknown, path: string): unknown {
  if (resultCode(error) === undefined) return error
  const options = { cause: error }
  const detail = (error as Error).message
  if (isBusy(error))
    return new StoreError('STORE_BUSY', `other processes keep ${path} locked; try again later`, options)
  if (isFull(error))
    return new StoreError('STORE_UNAVAILABLE', `there is no space left for ${path}; free some`, options)
  if (isNoDatabase(error)) return notAStore(path, options)
  if (isDamage(error))
    return new StoreError(
      'STORE_CORRUPT',
      `${path} is damaged (${detail}); take an older copy, or export what can be read`,
      options,
    )
  return new StoreError(
    'STORE_UNAVAILABLE',
    `${path} cannot be used now (${detail}); check its disk and its permissions`,
    options,
  )
}

export function notAStore(path: string, options?: { cause: unknown }): StoreError {
  return new StoreError('NOT_A_STORE', `${path} is not a store of Palimpsest; choose another path`, options)
}

export function unavailable(what: string, cause?: unknown): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `${what}; check the path and its permissions`, { cause })
}
