import type { Store } from '@palimpsest/core'
import { InvalidOptionError } from '@palimpsest/core'
import { createStore } from './create-store.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

export interface SqliteStoreOptions {
  /**
   * The file, which is made when it is missing, readable by its owner only. `:memory:` keeps everything in the process until the
   * store is closed.
   */
  readonly path: string
  /** Writes nothing; the file must be there. Default false. */
  readonly readOnly?: boolean
  /** Makes a store where there is none. Default true; `readOnly` makes none. */
  readonly create?: boolean
}

/**
 * A store in one SQLite file, which the first call opens. Several processes may use it at once: a call waits up to 30 seconds for
 * others, without blocking its own process.
 *
 * @throws InvalidOptionError for a path that names no file.
 */
export function createSqliteStore({ path, readOnly = false, create = true }: SqliteStoreOptions): Store {
  if (path === '') throw new InvalidOptionError('path', 'a store needs a file, or ":memory:"')
  return createStore(openSqlite(path, readOnly ? 'read' : create ? 'create' : 'write'))
}
