import { InvalidOptionError } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import {
  type Connection,
  checkFile,
  createConnection,
  type Sql,
  type StoreFormat,
} from '@palimpsest/sqlite-kit'
import type { Scope } from '../log/decision-event.ts'
import {
  DEFAULT_PRINCIPAL,
  type DecisionSessionInfo,
  type DecisionSessionRef,
  type DecisionStore,
} from '../store/decision-store.ts'
import { timeSchema } from '../store/event-schema.ts'
import { checkRef, decodeRow } from '../store/session-handle.ts'
import { StoreError } from '../store/store-error.ts'
import { MIGRATIONS } from './schema.ts'
import { createSqliteSession, readEvents } from './sqlite-session.ts'

/** The files of this package. */
const STORE_FORMAT: StoreFormat = {
  title: 'a store of decisions',
  packageName: '@palimpsest/decisions',
  /** "DECt" in ASCII. */
  applicationId: 0x44454374,
  migrations: MIGRATIONS,
  error: (code, message, options) => new StoreError(code, message, options),
}

export interface SqliteDecisionStoreOptions {
  /**
   * The file. It is made when there is none, readable by its owner only; its folder must be there. `:memory:` keeps everything
   * in the process until the store is closed.
   */
  readonly path: string
  /** Writes nothing; the file must be there. Default false. */
  readonly readOnly?: boolean
  /** Makes a store where there is none, or an empty file. Default true; `readOnly` makes none. */
  readonly create?: boolean
}

/**
 * A store in one SQLite file. The first call opens it. Several processes may use the same file at once: a call waits
 * up to 30 seconds for others, without blocking its own process. A write is on disk when its promise resolves.
 *
 * @throws InvalidOptionError for a path that names no file.
 */
export function createSqliteDecisionStore(options: SqliteDecisionStoreOptions): DecisionStore {
  const { path, readOnly = false, create = true } = options
  if (path === '') throw new InvalidOptionError('path', 'a store needs a file, or ":memory:"')
  const mode = readOnly ? 'read' : create ? 'create' : 'write'
  const connection: Connection = createConnection({ path, mode, format: STORE_FORMAT })

  const find = async (ref: Required<DecisionSessionRef>) => {
    const no = await connection.read((sql) => findSession(sql, ref))
    return no === undefined ? null : createSqliteSession(connection, no, ref)
  }
  return {
    kind: path === ':memory:' ? 'memory' : 'sqlite',
    location: connection.path,
    async session(given, at) {
      parseOptions(timeSchema(), at, 'at')
      const ref = checkRef(given)
      const known = await find(ref)
      if (known !== null) return known
      const no = await connection.write((sql) => findSession(sql, ref) ?? insertSession(sql, ref, at))
      return createSqliteSession(connection, no, ref)
    },
    async find(ref) {
      return find(checkRef(ref))
    },
    list: ({ principal } = {}) => connection.direct((sql) => listSessions(sql, principal)),
    events: ({ principal = DEFAULT_PRINCIPAL, ...query }) =>
      connection.read((sql) => readEvents(sql, principal, query)),
    scopes: (principal = DEFAULT_PRINCIPAL) => connection.read((sql) => readScopes(sql, principal)),
    check: () => connection.direct(checkFile),
    async close() {
      connection.close()
    },
  }
}

function findSession(sql: Sql, { principal, key }: Required<DecisionSessionRef>): number | undefined {
  const query = 'SELECT no FROM session WHERE principal = ? AND key = ?'
  return sql.get<{ no: number }>(query, JSON.stringify(principal), JSON.stringify(key))?.no
}

function insertSession(sql: Sql, { principal, key }: Required<DecisionSessionRef>, at: number): number {
  const row = sql.get<{ no: number }>(
    'INSERT INTO session (principal, key, created_at, last_at) VALUES (?, ?, ?, ?) RETURNING no',
    ...[JSON.stringify(principal), JSON.stringify(key), at, at],
  )
  if (row === undefined) throw new StoreError('STORE_CORRUPT', `the session ${key} could not be made`)
  return row.no
}

function listSessions(sql: Sql, principal?: string): DecisionSessionInfo[] {
  const rows = sql.all<DecisionSessionInfo>(
    `SELECT principal, key, messages, events, created_at AS createdAt, last_at AS lastAt,
       (SELECT count(*) FROM job WHERE job.session = session.no AND finished = 0) AS pendingJobs
     FROM session WHERE ?1 IS NULL OR principal = ?1 ORDER BY last_at DESC, no DESC`,
    principal === undefined ? null : JSON.stringify(principal),
  )
  return rows.map((row) => ({ ...row, principal: decodeRow(row.principal), key: decodeRow(row.key) }))
}

/** The oldest first. */
function readScopes(sql: Sql, principal: string): Scope[] {
  const query = 'SELECT scope FROM event WHERE principal = ? GROUP BY scope ORDER BY min(seq)'
  return sql.all<{ scope: string }>(query, JSON.stringify(principal)).map(({ scope }) => decodeRow(scope))
}
