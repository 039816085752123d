import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StoreError } from '../errors/store-error.ts'
import { foldText, gramText, scriptOf, wordText } from './fold-text.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { createSql, inTransaction, type Sql } from './sql.ts'
import { isFileFault } from './sqlite-error.ts'

/**
 * Bytes of a page. A coding transcript takes 1.69 times its JSON text with pages of 4 KiB, 1.61 with 16 KiB, 1.57 with
 * 32 KiB, and larger pages are no slower: most tool results are of a length that fills small pages badly.
 */
const PAGE_SIZE = 32_768
/** Pages of the log before SQLite moves them into the file: 8 MiB. */
const WAL_PAGES = 256

/** How long SQLite itself waits for a lock, in milliseconds. It blocks the process; we wait longer without. */
const BUSY_TIMEOUT = 5

/**
 * Opens a store's file, and makes it when there is none.
 *
 * @throws StoreError `STORE_UNAVAILABLE`, `NOT_A_STORE`, `STORE_TOO_NEW`; errors of SQLite.
 */
export function openDatabase(path: string, readOnly: boolean): Sql {
  if (readOnly) return openReadOnly(path)
  if (isEmptyFile(path)) createFile(path)
  else guard(path)
  return configured(new DatabaseSync(path, { timeout: BUSY_TIMEOUT }), (sql) => {
    sql.exec(
      `PRAGMA page_size = ${PAGE_SIZE}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
       PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = ${WAL_PAGES}`,
    )
    migrate(sql, path)
  })
}

function openReadOnly(path: string): Sql {
  if (!existsSync(path)) throw unavailable(`there is no file ${path}`)
  checkHeader(path)
  const readOnly = true
  const open = (location: string | URL) =>
    configured(new DatabaseSync(location, { readOnly, timeout: BUSY_TIMEOUT }), (sql) =>
      checkVersion(sql, path),
    )
  try {
    return open(path)
  } catch (error) {
    // A folder that cannot be written has no room for the shared memory of a WAL. Without a WAL none is needed.
    if (!isFileFault(error) || existsSync(`${path}-wal`)) throw error
    const location = pathToFileURL(path)
    location.searchParams.set('immutable', '1')
    return open(location)
  }
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

function isEmptyFile(path: string): boolean {
  try {
    return statSync(path).size === 0
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw unavailable(`${path} cannot be read`, cause)
  }
}

/** Whatever the umask is, nobody else reads what is in it: SQLite gives its other files the same permissions. */
function createFile(path: string): void {
  try {
    const file = openSync(path, 'wx', 0o600)
    fchmodSync(file, 0o600)
    closeSync(file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code === 'ENOENT') throw unavailable(`there is no folder ${dirname(path)}; make it first`, cause)
    throw unavailable(`${path} cannot be made`, cause)
  }
}

/** Looks at a file that is there without changing it: not even recovering its journal, unless it is a store. */
function guard(path: string): void {
  try {
    accessSync(path, constants.W_OK)
  } catch (cause) {
    // SQLite would open it all the same, and give a log beside it permissions that outlive the ones of the file.
    throw unavailable(`${path} cannot be written`, cause)
  }
  if (checkHeader(path)) return
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT })
  try {
    checkVersion(createSql(database), path)
  } finally {
    database.close()
  }
}

/**
 * True when the header says that it is a store. It may say less than what a WAL beside it holds.
 *
 * @throws StoreError `NOT_A_STORE` when it is not even an SQLite file.
 */
function checkHeader(path: string): boolean {
  const header = Buffer.alloc(100)
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    readSync(file, header, 0, header.length, 0)
  } catch (cause) {
    throw unavailable(`${path} cannot be read`, cause)
  } finally {
    if (file !== undefined) closeSync(file)
  }
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw notAStore(path)
  return header.readUInt32BE(68) === APPLICATION_ID
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

/** The version of a file; 0 when it is still empty. */
function checkVersion(sql: Sql, path: string): number {
  const pragma = (name: string): unknown => sql.get<Record<string, unknown>>(`PRAGMA ${name}`)?.[name]
  const application = pragma('application_id')
  const version = Number(pragma('user_version'))
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

function notAStore(path: string): StoreError {
  return new StoreError('NOT_A_STORE', `${path} is not a store of LCM; choose another path`)
}

function unavailable(what: string, cause?: unknown): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `${what}; check the path and its permissions`, { cause })
}
