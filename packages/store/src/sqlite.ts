import type { Store } from '@palimpsest/core'
import { InvalidOptionError } from '@palimpsest/core'
import { createStore } from './create-store.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

export interface SqliteStoreOptions {
  /**
   * The file's path. A missing file is created, readable only by its owner. `:memory:` keeps everything in the process
   * until the store is closed.
   */
  readonly path: string
  /** Opens an existing file without writing. Default false. */
  readonly readOnly?: boolean
  /** Creates a missing store. Default true, except with `readOnly`. */
  readonly create?: boolean
}

/**
 * Creates a store in one SQLite file, which the first call opens. Several processes may use it at once: a call waits up
 * to 30 seconds for others without blocking its process.
 *
 * @throws InvalidOptionError for a path that names no file.
 */
export function createSqliteStore({ path, readOnly = false, create = true }: SqliteStoreOptions): Store {
  if (path === '') throw new InvalidOptionError('path', 'path: expected a file, or ":memory:"')
  return createStore(openSqlite(path, readOnly ? 'read' : create ? 'create' : 'write'))
}
