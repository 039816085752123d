import { notAStore } from './store-file.ts'
import type { StoreFormat } from './store-format.ts'

/** Primary result codes of SQLite, see https://www.sqlite.org/rescode.html. */
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const CONSTRAINT = 19
const NOTADB = 26

/** The primary result code of an error of `node:sqlite`; undefined for any other error. */
export function resultCode(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** True when another process has the file locked. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}

/**
 * True when a file could not be opened, read or written: a connection keeps what it found out about its files, and
 * only another one notices that they are all right again.
 */
export function isFileFault(error: unknown): boolean {
  const code = resultCode(error)
  return code === READONLY || code === IOERR || code === CANTOPEN
}

/** True when pages do not fit together: the file is damaged, or was read during a write. */
export function isMisfit(error: unknown): boolean {
  return resultCode(error) === CORRUPT
}

/** The file that an error of a store is about; undefined for any other error. */
export function fileOfError(error: unknown): string | undefined {
  return (error as { [FILE]?: string } | undefined)?.[FILE]
}

/** One mark for all copies of this package. */
const FILE = Symbol.for('palimpsest.store-file')

/** An error as a user of the store has to read it, with its file. Errors that are not SQLite's stay. */
export function toStoreError(error: unknown, path: string, format: StoreFormat): unknown {
  const told = describe(error, path, format)
  return told instanceof Error ? nameFile(told, path) : told
}

/** Gives an error the file that it is about. Returns the error. */
export function nameFile<E extends Error>(error: E, path: string): E {
  return Object.defineProperty(error, FILE, { value: path, configurable: true })
}

function describe(error: unknown, path: string, format: StoreFormat): unknown {
  const code = resultCode(error)
  if (code === undefined) return error
  const options = { cause: error }
  const detail = (error as Error).message
  if (code === BUSY || code === LOCKED)
    return format.error('STORE_BUSY', `other processes keep ${path} locked; try again later`, options)
  if (code === FULL)
    return format.error('STORE_UNAVAILABLE', `there is no space left for ${path}; free some`, options)
  if (code === NOTADB) return notAStore(path, format, options)
  if (CORRUPT_CODES.has(code)) {
    const { remedy = 'take an older copy, or export what can be read' } = format
    return format.error('STORE_CORRUPT', `${path} is damaged (${detail}); ${remedy}`, options)
  }
  return format.error(
    'STORE_UNAVAILABLE',
    `${path} cannot be used now (${detail}); check its disk and its permissions`,
    options,
  )
}

/** A constraint only fails when a row is not where the counters say. */
const CORRUPT_CODES: ReadonlySet<number> = new Set([CORRUPT, CONSTRAINT])
