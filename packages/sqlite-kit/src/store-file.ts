import { accessSync, chmodSync, closeSync, constants, fchmodSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StoreFormat } from './store-format.ts'

/** True when there is no file, or nothing in it. */
export function isEmptyFile(path: string, format: StoreFormat): boolean {
  try {
    return statSync(path).size === 0
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw unavailable(format, `${path} cannot be read`, cause)
  }
}

/**
 * Only its owner reads the file, whatever the umask is: SQLite gives its other files the same permissions. An
 * existing file must be empty.
 */
export function createFile(path: string, format: StoreFormat): void {
  try {
    const file = openSync(path, 'wx', 0o600)
    fchmodSync(file, 0o600)
    closeSync(file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      closeToOthers(path, format)
      return
    }
    if (code === 'ENOENT')
      throw unavailable(format, `there is no folder ${dirname(path)}; make it first`, cause)
    throw unavailable(format, `${path} cannot be made`, cause)
  }
}

function closeToOthers(path: string, format: StoreFormat): void {
  // A device looks empty too.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw notAStore(path, format)
  try {
    chmodSync(path, 0o600)
  } catch (cause) {
    throw unavailable(format, `${path} cannot be made readable by its owner alone`, cause)
  }
}

/** @throws `STORE_UNAVAILABLE` when it is not writable. */
export function checkWritable(path: string, format: StoreFormat): void {
  try {
    accessSync(path, constants.W_OK)
  } catch (cause) {
    // SQLite would open it all the same, and give a log beside it permissions that outlive the ones of the file.
    throw unavailable(format, `${path} cannot be written`, cause)
  }
}

/** The error for a file that is something else. */
export function notAStore(path: string, format: StoreFormat, options?: { cause: unknown }): Error {
  const { title, remedy = 'choose another path' } = format
  return format.error('NOT_A_STORE', `${path} is not ${title}; ${remedy}`, options)
}

/** The error for an empty file, which only a writer makes a store of. */
export function noStore(path: string, format: StoreFormat): Error {
  return format.error('STORE_UNAVAILABLE', `there is no store in ${path}: nothing was written to it yet`)
}

/** The error for a file that cannot be used now. */
export function unavailable(format: StoreFormat, what: string, cause?: unknown): Error {
  return format.error('STORE_UNAVAILABLE', `${what}; check the path and its permissions`, { cause })
}
