import { statSync } from 'node:fs'
import { InvalidOptionError } from '@palimpsest/core'
import { createConnection, type Sql } from '@palimpsest/sqlite-kit'
import { sessionNotFound } from '../errors/store-error.ts'
import { DEFAULT_PRINCIPAL } from '../store/default-principal.ts'
import type { LcmStore, SessionRef, StoreStats } from '../store/lcm-store.ts'
import { dumpRecords } from '../store-kit/dump-records.ts'
import { planSession } from '../store-kit/plan-write.ts'
import { toStoredSession } from '../store-kit/row-columns.ts'
import { checkStore, repairStore } from './check-store.ts'
import { isBehind, withIndexing } from './index-later.ts'
import { readLineage } from './lineage.ts'
import { listSessions } from './list-sessions.ts'
import { readRecords } from './read-records.ts'
import { restoreSessions } from './restore-sessions.ts'
import { findSession, insertSession, readSession } from './session-row.ts'
import { sessionHandle } from './sqlite-session.ts'
import { STORE_FORMAT } from './store-format.ts'
import { writePlan } from './write-plan.ts'

export interface SqliteStoreOptions {
  /** The file. It is made when it is missing, readable by its owner only; its folder must be there. */
  readonly path: string
  /** Writes nothing; the file must be there. Default false. */
  readonly readOnly?: boolean
  /** Makes a store where there is none, or an empty file. Default true; `readOnly` makes none. */
  readonly create?: boolean
}

/**
 * A store in one SQLite file. The first call opens it. Several processes may use the file at once: a call waits up to
 * 30 seconds for others, without blocking its own process. A write is on disk when its promise resolves.
 *
 * @throws InvalidOptionError for a path that names no file.
 */
export function createSqliteStore(options: SqliteStoreOptions): LcmStore {
  const { path, readOnly = false, create = true } = options
  if (path === ':memory:' || path === '')
    throw new InvalidOptionError('path', 'a store needs a file; createMemoryStore() keeps one in memory')
  const mode = readOnly ? 'read' : create ? 'create' : 'write'
  const connection = withIndexing(createConnection({ path, mode, format: STORE_FORMAT }))

  const find = ({ principal = DEFAULT_PRINCIPAL, key }: SessionRef) =>
    connection.read((sql) => {
      const row = findSession(sql, { principal, key })
      return row === undefined ? null : sessionHandle(sql, connection, row)
    })

  return {
    kind: 'sqlite',
    location: connection.path,
    async session(ref, at) {
      const plan = planSession(ref, at)
      const known = await find(ref)
      if (known !== null) {
        // An earlier process ended before it had indexed everything.
        if (await connection.read(isBehind)) connection.indexRest(true)
        return known
      }
      return connection.write((sql) => {
        const row = findSession(sql, plan.session)
        if (row !== undefined) return sessionHandle(sql, connection, row)
        const made = readSession(sql, insertSession(sql, plan.session, null))
        writePlan(sql, made.no, readLineage(sql, made), plan)
        return sessionHandle(sql, connection, made)
      })
    },
    find,
    list: (query) => connection.read((sql) => listSessions(sql, query)),
    stats: () => connection.read((sql) => readStats(sql, connection.path)),
    check: () => connection.direct(checkStore),
    repair: () => repairStore(connection),
    async *dump(ref) {
      const row = await connection.read((sql) => findSession(sql, ref))
      if (row === undefined) throw sessionNotFound(ref.key)
      yield* dumpRecords(toStoredSession(row), (type, range) =>
        connection.read((sql) => readRecords(sql, row.no, type, range)),
      )
    },
    restore: (records) => restoreSessions(connection, records),
    async close() {
      connection.close()
    },
  }
}

function readStats(sql: Sql, path: string): StoreStats {
  const sums = sql.get<Omit<StoreStats, 'bytes'>>(
    `SELECT count(*) AS sessions, ifnull(sum(next_seq - fork_seq), 0) AS messages,
       ifnull(sum(next_summary - fork_summary), 0) AS summaries, ifnull(sum(characters), 0) AS characters
     FROM session`,
  )
  const { sessions = 0, messages = 0, summaries = 0, characters = 0 } = sums ?? {}
  const bytes = sizeOf(path) + sizeOf(`${path}-wal`)
  return { sessions, messages, summaries, characters, bytes }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
