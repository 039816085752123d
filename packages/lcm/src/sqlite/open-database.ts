import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StoreError } from '../errors/store-error.ts'
import { foldText, gramText, scriptOf, wordText } from '../store-kit/fold-text.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { createSql, inTransaction, type Sql } from './sql.ts'
import { isFileFault } from './sqlite-error.ts'
import { checkWritable, createFile, isEmptyFile, noStore, notAStore, unavailable } from './store-file.ts'

/**
 * Bytes of a page. The generated transcripts of `bench lcm` take, as a multiple of their JSON lines with 1,000, 10,000
 * and 30,000 messages: 1.51, 1.49 and 1.47 with pages of 8 KiB, 1.53, 1.47 and 1.45 with 16 KiB, 1.57, 1.46 and 1.43
 * with 32 KiB. Small stores are the usual ones.
 */
const PAGE_SIZE = 16_384
/** Pages of the log before SQLite moves them into the file: 8 MiB. */
const WAL_PAGES = 512

/**
 * What a file is made with; to say it of one that is there would write it. Pages that merging indexes left behind are
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

/** How long SQLite itself waits for a lock, in milliseconds. It blocks the process; we wait longer without. */
const BUSY_TIMEOUT = 5

/** How a file is opened: `create` makes a store where there is none, the others find one. */
export type OpenMode = 'read' | 'write' | 'create'

/**
 * Opens a store's file, and with `create` makes it when there is none. Nothing else writes into a file that is empty.
 *
 * @throws StoreError `STORE_UNAVAILABLE`, `NOT_A_STORE`, `STORE_TOO_NEW`; errors of SQLite.
 */
export function openDatabase(path: string, mode: OpenMode): Sql {
  if (mode === 'read') return openReadOnly(path)
  if (!isEmptyFile(path)) guard(path, mode)
  else if (mode === 'create') createFile(path)
  else throw noStore(path)
  return configured(new DatabaseSync(path, { timeout: BUSY_TIMEOUT }), (sql) => {
    if (pragmaOf(sql, 'page_count') === 0) sql.exec(NEW_FILE_SETTINGS)
    sql.exec(SETTINGS)
    migrate(sql, path)
  })
}

function openReadOnly(path: string): Sql {
  if (!existsSync(path)) throw unavailable(`there is no file ${path}`)
  const readOnly = true
  const open = (location: string | URL) =>
    configured(new DatabaseSync(location, { readOnly, timeout: BUSY_TIMEOUT }), (sql) =>
      assertVersion(sql, path),
    )
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

function configured(database: DatabaseSync, configure: (sql: Sql) => void): Sql {
  try {
    const pure = { deterministic: true, directOnly: false } as const
    database.function('lcm_fold', pure, (text) => foldText(String(text)))
    database.function('lcm_words', pure, (text) => wordText(String(text)))
    database.function('lcm_grams', pure, (text) => gramText(String(text)))
    database.function('lcm_script', pure, (text) => scriptOf(String(text)))
    const sql = createSql(database)
    configure(sql)
    return sql
  } catch (error) {
    database.close()
    throw error
  }
}

/** Looks at a file that is there without changing it: not even recovering its journal, unless it is a store. */
function guard(path: string, mode: OpenMode): void {
  checkWritable(path)
  if (isMarked(path)) return
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT })
  try {
    if (mode === 'create') checkVersion(createSql(database), path)
    else assertVersion(createSql(database), path)
  } finally {
    database.close()
  }
}

/**
 * True when the file itself says that it is a store; it may say less than what a log beside it holds. SQLite reads
 * it, because a file that another one closes loses the locks that SQLite has on it in this process.
 *
 * @throws an error of SQLite when it is not even an SQLite file.
 */
function isMarked(path: string): boolean {
  const database = new DatabaseSync(immutable(path), { readOnly: true })
  try {
    return pragmaOf(createSql(database), 'application_id') === APPLICATION_ID
  } finally {
    database.close()
  }
}

/** Brings a file to the newest version. Whoever comes second finds the work done. */
function migrate(sql: Sql, path: string): void {
  if (checkVersion(sql, path) === MIGRATIONS.length) return
  inTransaction(sql, 'BEGIN IMMEDIATE', () => {
    const done = checkVersion(sql, path)
    for (const step of MIGRATIONS.slice(done)) sql.exec(step)
    sql.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`)
  })
}

/** Refuses a file that nothing was written to yet. */
function assertVersion(sql: Sql, path: string): void {
  if (checkVersion(sql, path) === 0) throw noStore(path)
}

/** The version of a file; 0 when it is still empty. */
function checkVersion(sql: Sql, path: string): number {
  const application = pragmaOf(sql, 'application_id')
  const version = Number(pragmaOf(sql, 'user_version'))
  if (application !== APPLICATION_ID) {
    if (application !== 0 || version !== 0 || sql.get('SELECT 1 FROM sqlite_schema') !== undefined)
      throw notAStore(path)
    return 0
  }
  if (version > MIGRATIONS.length)
    throw new StoreError(
      'STORE_TOO_NEW',
      `${path} was written by a newer version of @palimpsest/lcm (format ${version}); update this one`,
    )
  return version
}

function pragmaOf(sql: Sql, name: string): unknown {
  return sql.get<Record<string, unknown>>(`PRAGMA ${name}`)?.[name]
}
