import { DatabaseSync } from 'node:sqlite'
import { errorText, PalimpsestError } from '@palimpsest/core'
import { createSql, openDatabase, resultCode, type Sql, toStoreError } from '@palimpsest/sqlite-kit'
import { principalOf } from '../../engines/lcm-options.ts'
import type { DatabasePlace, StorePlace } from '../../stores/store-place.ts'
import { UsageError } from '../../usage-error.ts'
import { createServiceStore } from './create-service-store.ts'
import { SERVICE_FORMAT } from './service-format.ts'
import type { ServiceStore } from './service-store.ts'

/** SQLite's code for a file that another process has locked. */
const BUSY = 5

/**
 * The service's store. A file belongs to this process until it is closed: two services that answer from one record would
 * not know of each other's turns. A database is shared by any number of them. Without a place, it is in memory.
 *
 * @param principal whose sessions they are, in a database.
 * @throws UsageError when the file is something else, cannot be written, or is served by another process; when the database
 * cannot be used.
 */
export async function openServiceStore(
  place: StorePlace | undefined,
  principal = principalOf({}),
): Promise<ServiceStore> {
  if (place === undefined) return createServiceStore(openMemory())
  if (place.kind === 'file') return createServiceStore(openFile(place.path), place.path)
  return openInDatabase(place, principal).catch((cause) => {
    throw new UsageError(`the store cannot be used: ${errorText(cause)}`, { cause })
  })
}

/**
 * Opens the store at a place for reading. Rejects with the error of a store that cannot be read.
 *
 * @param principal whose sessions they are, in a database.
 */
export async function readServiceStore(place: StorePlace, principal: string): Promise<ServiceStore> {
  if (place.kind === 'postgres') return openInDatabase(place, principal, false)
  try {
    const sql = openDatabase(place.path, 'read', SERVICE_FORMAT)
    return createServiceStore(withStoreErrors(sql, place.path), place.path)
  } catch (error) {
    throw toStoreError(error, place.path, SERVICE_FORMAT)
  }
}

async function openInDatabase(
  place: DatabasePlace,
  principal: string,
  mayMake = true,
): Promise<ServiceStore> {
  const { openServeDatabase } = await import('./postgres/open-serve-database.ts')
  const { createPostgresServiceStore } = await import('./postgres/create-postgres-service-store.ts')
  const store = createPostgresServiceStore(await openServeDatabase(place, mayMake), principal)
  try {
    await store.check()
    return store
  } catch (cause) {
    await store.close()
    throw cause
  }
}

function openMemory(): Sql {
  const sql = createSql(new DatabaseSync(':memory:'))
  for (const step of SERVICE_FORMAT.migrations) sql.exec(step)
  return sql
}

function openFile(path: string): Sql {
  let sql: Sql | undefined
  try {
    sql = openDatabase(path, 'create', SERVICE_FORMAT)
    // The lock is taken with the next write, kept to the end, and gone with the process however that ends.
    sql.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
    assertSound(sql)
    return withStoreErrors(sql, path)
  } catch (cause) {
    sql?.close()
    throw new UsageError(`--store: ${reasonOf(cause, path)}`, { cause })
  }
}

/** A damaged index would not find sessions that are there: they would begin anew. */
function assertSound(sql: Sql): void {
  const [report] = sql.all<{ integrity_check: string }>("PRAGMA integrity_check('conversation')")
  if (report?.integrity_check !== 'ok') throw new Error(`it is damaged: ${report?.integrity_check}`)
}

/** Statements whose errors say which file they are about and what to do. */
function withStoreErrors(sql: Sql, path: string): Sql {
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw toStoreError(error, path, SERVICE_FORMAT)
    }
  }
  return {
    get: (...call) => guarded(() => sql.get(...call)),
    all: (...call) => guarded(() => sql.all(...call)),
    lists: (...call) => guarded(() => sql.lists(...call)),
    run: (...call) => guarded(() => sql.run(...call)),
    exec: (statements) => guarded(() => sql.exec(statements)),
    close: sql.close,
  }
}

function reasonOf(error: unknown, path: string): string {
  if (resultCode(error) === BUSY) return `${path} is used by another process; stop it, or name another file`
  if (PalimpsestError.isInstance(error)) return error.message
  return `${path} cannot be used (${errorText(error)}); name another file`
}
