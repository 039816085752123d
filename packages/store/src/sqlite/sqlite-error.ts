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

/** The primary result code of an error of `node:sqlite`; undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined
}

const isOneOf =
  (...names: (keyof typeof CODES)[]) =>
  (error: unknown): boolean =>
    names.some((name) => CODES[name] === resultCode(error))

/** Another process has the file locked. */
export const isBusy = isOneOf('BUSY', 'LOCKED')
/** The file could not be opened, read or written: only another connection notices that it is all right again. */
export const isFileFault = isOneOf('READONLY', 'IOERR', 'CANTOPEN')
/** Pages do not fit together: the file is damaged, or was read during a write. */
export const isMisfit = isOneOf('CORRUPT')
const isFull = isOneOf('FULL')
const isNoDatabase = isOneOf('NOTADB')
/** A constraint only fails when a row is not where the counters say. */
const isDamage = isOneOf('CORRUPT', 'CONSTRAINT')

/** An error as a user of the store has to read it. Errors that are not SQLite's stay. */
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

/** The error for a file that is something else. */
export function notAStore(path: string, options?: { cause: unknown }): StoreError {
  return new StoreError('NOT_A_STORE', `${path} is not a store of Palimpsest; choose another path`, options)
}

/** The error for a file that cannot be used now. */
export function unavailable(what: string, cause?: unknown): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `${what}; check the path and its permissions`, { cause })
}
