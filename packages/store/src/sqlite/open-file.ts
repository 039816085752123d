import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StoreError } from '../errors.ts'
import { schemaOf } from '../schema.ts'
import { isFileFault, notAStore, unavailable } from './sqlite-error.ts'

export const IN_MEMORY = ':memory:'

export type OpenMode = 'read' | 'write' | 'create'

/** "PALM" in ASCII, which marks the files. */
const APPLICATION_ID = 0x50414c4d
const VERSION = 1

/** Pages of 16 KiB store long messages in the least space in small stores, which are the usual ones. */
const NEW_FILE_SETTINGS = 'PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL;'

/**
 * Commits wait for the disk (`synchronous`), and freed pages are overwritten (`secure_delete`), so that deleted content
 * is gone. The cache is in KiB, the log in pages.
 */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 512;
`

/** SQLite's own wait for a lock, in milliseconds. It blocks the process; the store waits longer without blocking. */
const BUSY_TIMEOUT = 5

/** The index stores no texts: a search reads the rows and checks them itself. */
const INDEX = ['message', 'summary']
  .map(
    (table) => `CREATE VIRTUAL TABLE ${table}_index USING fts5(
      text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
    );`,
  )
  .join('\n')

const SCHEMA = schemaOf({
  integer: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  counter: 'INTEGER',
})

export function openFile(path: string, mode: OpenMode): DatabaseSync {
  if (path !== IN_MEMORY) {
    if (mode === 'read') return openReadOnly(path)
    if (!isEmptyFile(path)) assertWritable(path)
    else if (mode === 'create') createFile(path)
    else throw noStore(path)
  }
  return configured(connect(path, { timeout: BUSY_TIMEOUT }), (database) => {
    // Read before anything is written, so that another program's file stays as it is.
    if (readVersion(database, path) === 0 && mode !== 'create') throw noStore(path)
    if (pragma(database, 'page_count') === 0) database.exec(NEW_FILE_SETTINGS)
    database.exec(SETTINGS)
    if (readVersion(database, path) === VERSION) return
    database.exec('BEGIN IMMEDIATE')
    try {
      if (readVersion(database, path) === 0) {
        database.exec(SCHEMA + INDEX)
        database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`)
      }
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  })
}

/** SQLite is loaded with the first file, because a host with another store does not need it. */
function connect(location: string | URL, options: DatabaseSyncOptions): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  return new DatabaseSync(location, options)
}

function openReadOnly(path: string): DatabaseSync {
  if (!existsSync(path)) throw unavailable(`there is no file ${path}`)
  const open = (location: string | URL) =>
    configured(connect(location, { readOnly: true, timeout: BUSY_TIMEOUT }), (database) => {
      if (readVersion(database, path) === 0) throw noStore(path)
    })
  try {
    return open(path)
  } catch (error) {
    // A read-only folder has no room for a log's shared memory. Without a log none is needed.
    if (!isFileFault(error) || existsSync(`${path}-wal`)) throw error
    const location = pathToFileURL(path)
    location.searchParams.set('immutable', '1')
    return open(location)
  }
}

function configured(database: DatabaseSync, configure: (database: DatabaseSync) => void): DatabaseSync {
  try {
    configure(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK)
  } catch (cause) {
    // SQLite would open it anyway and create a log whose permissions outlast the file's.
    throw unavailable(`${path} cannot be written`, cause)
  }
}

function readVersion(database: DatabaseSync, path: string): number {
  const application = pragma(database, 'application_id')
  const version = Number(pragma(database, 'user_version'))
  if (application !== APPLICATION_ID) {
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
    if (application !== 0 || version !== 0 || !isEmpty) throw notAStore(path)
    return 0
  }
  if (version <= VERSION) return version
  throw new StoreError(
    'STORE_TOO_NEW',
    `${path} was written by a newer version of @palimpsest/store (format ${version}); update this one`,
  )
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name]
}

function isEmptyFile(path: string): boolean {
  try {
    return statSync(path).size === 0
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw unavailable(`${path} cannot be read`, cause)
  }
}

/** The file is readable only by its owner, whatever the umask: SQLite gives its other files the same permissions. */
function createFile(path: string): void {
  try {
    const file = openSync(path, 'wx', 0o600)
    fchmodSync(file, 0o600)
    closeSync(file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw unavailable(`there is no folder ${dirname(path)}; make it first`, cause)
    if (code !== 'EEXIST') throw unavailable(`${path} cannot be made`, cause)
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw notAStore(path)
    try {
      chmodSync(path, 0o600)
    } catch (refused) {
      throw unavailable(`${path} cannot be made readable by its owner alone`, refused)
    }
  }
}

function noStore(path: string): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `there is no store in ${path}: nothing was written to it yet`)
}
