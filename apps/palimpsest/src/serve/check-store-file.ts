import { DatabaseSync } from 'node:sqlite'
import { errorText, PalimpsestError } from '@palimpsest/core'

/**
 * Reads a store's file on a connection of its own: one that is open shows what it remembers, also of a file that is
 * gone or was overwritten.
 *
 * @throws PalimpsestError `STORE_UNAVAILABLE`.
 */
export function checkStoreFile(path: string): void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
  } catch (cause) {
    throw new PalimpsestError('STORE_UNAVAILABLE', `${path} cannot be read (${errorText(cause)})`, { cause })
  } finally {
    database?.close()
  }
}
