import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { sealSchema } from './check-file.ts'
import { createSql, inTransaction, type Sql } from './sql.ts'
import { isFileFault, isMisfit } from './sqlite-error.ts'
import { checkWritable, createFile, isEmptyFile, noStore, notAStore, unavailable } from './store-file.ts'
import type { StoreFormat } from './store-format.ts'

/**
 * Bytes of a page. The generated transcripts of `bench lcm` take, as a multiple of their JSON lines with 1,000, 10,000
 * and 30,000 messages: 1.51, 1.49 and 1.47 with pages of 8 KiB, 1.53, 1.47 and 1.45 with 16 KiB, 1.57, 1.46 and 1.43
 * with 32 KiB. Small stores are the usual ones.
 */
const PAGE_SIZE = 16_384
/** Pages of the log before SQLite moves them into the file: 8 MiB. */
const WAL_PAGES = 512

/**
 * Settings of a new file; setting them on an existing one would write it. Pages that merging indexes left behind are
 * given back when the store is closed.
 */
const NEW_FILE_SETTINGS = `
  PRAGMA page_size = ${PAGE_SIZE};
  PRAGMA auto_vacuum = INCREMENTAL;
`

/**
 * A commit waits for the disk (`synchronous`): it measured no slower than not waiting. What is freed is overwritten
 * (`secure_delete`), so that what was forgotten is gone; that measured no slower either. The cache is in KiB.
 */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = ${WAL_PAGES};
`

/** SQLite's own wait for a lock, in milliseconds. It blocks the process; we wait longer without. */
const BUSY_TIMEOUT = 5

/** The path of a database that lives in its process. */
export const IN_MEMORY = ':memory:'

/** The access to a file: `create` makes a store where there is none, the others find one. */
export type OpenMode = 'read' | 'write' | 'create'

/**
 * Opens a store's file, and with `create` makes it when there is none. Nothing else writes into a file that is empty.
 *
 * @throws `STORE_UNAVAILABLE`, `NOT_A_STORE`, `STORE_TOO_NEW` as errors of the format; errors of SQLite.
 */
export function openDatabase(path: string, mode: OpenMode, format: StoreFormat): Sql {
  if (path !== IN_MEMORY) {
    if (mode === 'read') return openReadOnly(path, format)
    if (!isEmptyFile(path, format)) guard(path, mode, format)
    else if (mode === 'create') createFile(path, format)
    else throw noStore(path, format)
  }
  return configured(new DatabaseSync(path, { timeout: BUSY_TIMEOUT }), format, (sql) => {
    if (pragmaOf(sql, 'page_count') === 0) sql.exec(NEW_FILE_SETTINGS)
    sql.exec(SETTINGS)
    migrate(sql, path, format)
  })
}

function openReadOnly(path: string, format: StoreFormat): Sql {
  if (!existsSync(path)) throw unavailable(format, `there is no file ${path}`)
  const readOnly = true
  const open = (location: string | URL) =>
    configured(new DatabaseSync(location, { readOnly, timeout: BUSY_TIMEOUT }), format, (sql) => {
      if (assertVersion(sql, path, format) < format.migrations.length)
        throw unavailable(
          format,
          `${path} is of an older version; open it for writing once, which updates it`,
        )
    })
  try {
    return open(path)
  } catch (error) {
    // A folder that cannot be written has no room for the shared memory of a WAL. Without a WAL none is needed.
    if (!isFileFault(error) || existsSync(`${path}-wal`)) throw error
    return open(immutable(path))
  }
}

/** The name under which SQLite reads a file as it lies there: without locks, and without looking for a log. */
function immutable(path: string): URL {
  const location = pathToFileURL(path)
  location.searchParams.set('immutable', '1')
  return location
}

function configured(database: DatabaseSync, format: StoreFormat, configure: (sql: Sql) => void): Sql {
  try {
    format.addFunctions?.(database)
    const sql = createSql(database)
    configure(sql)
    return sql
  } catch (error) {
    database.close()
    throw error
  }
}

/** Looks at a file that is there without changing it: not even recovering its journal, unless it is a store. */
function guard(path: string, mode: OpenMode, format: StoreFormat): void {
  checkWritable(path, format)
  if (isMarked(path, format)) return
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT })
  try {
    if (mode === 'create') checkVersion(createSql(database), path, format)
    else assertVersion(createSql(database), path, format)
  } finally {
    database.close()
  }
}

/**
 * True when the file itself says that it is a store; a log beside it may say more. SQLite reads it, because a file
 * that another one closes loses the locks that SQLite has on it in this process.
 *
 * @throws an error of SQLite when it is not even an SQLite file.
 */
function isMarked(path: string, format: StoreFormat): boolean {
  const database = new DatabaseSync(immutable(path), { readOnly: true })
  try {
    return pragmaOf(createSql(database), 'application_id') === format.applicationId
  } catch (error) {
    // A log is being moved into the file, or was when its process ended. Who reads with locks reads the log, too.
    if (isMisfit(error)) return false
    throw error
  } finally {
    database.close()
  }
}

/** Brings a file to the newest version. Whoever comes second finds the work done. */
function migrate(sql: Sql, path: string, format: StoreFormat): void {
  const { applicationId, migrations } = format
  if (checkVersion(sql, path, format) === migrations.length) return
  inTransaction(sql, 'BEGIN IMMEDIATE', () => {
    const done = readVersion(sql, path, format)
    for (const step of migrations.slice(done)) sql.exec(step)
    sealSchema(sql)
    sql.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`)
  })
}

/** The version of a file. Refuses one that nothing was written to yet. */
function assertVersion(sql: Sql, path: string, format: StoreFormat): number {
  const version = checkVersion(sql, path, format)
  if (version === 0) throw noStore(path, format)
  return version
}

/** The version of a file; 0 when it is still empty. Another process may make it a store between two statements. */
function checkVersion(sql: Sql, path: string, format: StoreFormat): number {
  return inTransaction(sql, 'BEGIN', () => readVersion(sql, path, format))
}

function readVersion(sql: Sql, path: string, format: StoreFormat): number {
  const application = pragmaOf(sql, 'application_id')
  const version = Number(pragmaOf(sql, 'user_version'))
  if (application !== format.applicationId) {
    if (application !== 0 || version !== 0 || sql.get('SELECT 1 FROM sqlite_schema') !== undefined)
      throw notAStore(path, format)
    return 0
  }
  if (version > format.migrations.length)
    throw format.error(
      'STORE_TOO_NEW',
      `${path} was written by a newer version of ${format.packageName} (format ${version}); update this one`,
    )
  return version
}

function pragmaOf(sql: Sql, name: string): unknown {
  return sql.get<Record<string, unknown>>(`PRAGMA ${name}`)?.[name]
}
