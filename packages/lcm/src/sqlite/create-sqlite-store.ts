import { InvalidOptionError } from '@palimpsest/core'
import { createConnection, type Sql } from '@palimpsest/sqlite-kit'
import type { SessionMatch } from '../store/lcm-session.ts'
import { DEFAULT_PRINCIPAL, type LcmStore, type SessionInfo, type SessionRef } from '../store/lcm-store.ts'
import { planSession } from '../store-kit/plan-write.ts'
import { packName, rowLimit, toStoredSession } from '../store-kit/row-columns.ts'
import { sessionInfo } from '../store-kit/stored-session.ts'
import { type Match, matchMessages, matchSummaries } from './candidates.ts'
import { checkStore, repairStore } from './check-store.ts'
import { STORE_FORMAT } from './schema.ts'
import { findSession, insertSession, ROWS_PER_SESSION, readSession, type SessionRow } from './session-row.ts'
import { sessionHandle, writePlan } from './sqlite-session.ts'

export interface SqliteStoreOptions {
  /**
   * The file. It is made when it is missing, readable by its owner only; its folder must be there. `:memory:` keeps everything in
   * the process until the store is closed.
   */
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
  if (path === '') throw new InvalidOptionError('path', 'a store needs a file, or ":memory:"')
  const mode = readOnly ? 'read' : create ? 'create' : 'write'
  const connection = createConnection({ path, mode, format: STORE_FORMAT })

  const find = ({ principal = DEFAULT_PRINCIPAL, key }: SessionRef) =>
    connection.read((sql) => {
      const row = findSession(sql, { principal, key })
      return row === undefined ? null : sessionHandle(connection, row)
    })

  return {
    kind: path === ':memory:' ? 'memory' : 'sqlite',
    location: connection.path,
    async session(ref, at) {
      const plan = planSession(ref, at)
      const known = await find(ref)
      if (known !== null) return known
      return connection.write((sql) => {
        const row = findSession(sql, plan.session)
        if (row !== undefined) return sessionHandle(connection, row)
        const no = insertSession(sql, plan.session)
        writePlan(sql, no, plan)
        return sessionHandle(connection, readSession(sql, no))
      })
    },
    find,
    list: (query) => connection.read((sql) => listSessions(sql, query)),
    check: () => connection.direct(checkStore),
    repair: () => repairStore(connection),
    async close() {
      connection.close()
    },
  }
}

/** Sessions in the order of principal and key. */
export function listSessions(
  sql: Sql,
  { principal, after, matching, limit }: Parameters<LcmStore['list']>[0],
): SessionInfo[] {
  const matches = matching && indexed(matching)
  const conditions: string[] = []
  const values: string[] = []
  if (matches !== undefined) {
    const own = matches.map(
      ({ table }) => `SELECT rowid / ${ROWS_PER_SESSION} FROM ${table} WHERE ${table} MATCH ?`,
    )
    conditions.push(`no IN (${own.join(' UNION ')})`)
    values.push(...matches.map(({ expression }) => expression))
  }
  if (principal !== undefined) {
    conditions.push('principal = ?')
    values.push(packName(principal))
  }
  if (after !== undefined) {
    conditions.push('(principal, key) > (?, ?)')
    values.push(packName(after.principal), packName(after.key))
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const query = `SELECT * FROM session ${where} ORDER BY principal, key LIMIT ?`
  return sql
    .all<SessionRow>(query, ...values, rowLimit(limit))
    .map((row) => sessionInfo(toStoredSession(row)))
}

/** The condition for the full-text tables; undefined when one of them is no help, so that every session counts. */
function indexed({ where, among }: SessionMatch): readonly Match[] | undefined {
  const matches = [
    ...(among === 'summaries' ? [] : [matchMessages(where)]),
    ...(among === 'messages' ? [] : [matchSummaries(where)]),
  ]
  return matches.every((match) => match !== null) ? matches : undefined
}
