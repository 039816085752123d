import { InvalidOptionError } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import { checkFile, createConnection, type StoreFormat } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import { DEFAULT_PRINCIPAL, type DecisionSessionRef, type DecisionStore } from '../store/decision-store.ts'
import { timeSchema } from '../store/event-schema.ts'
import { checkRef } from '../store-kit/create-session.ts'
import { readEvents, readScopes } from './event-rows.ts'
import { MIGRATIONS } from './schema.ts'
import { findPrincipal, findSession, insertSession, listSessions } from './session-row.ts'
import { createSqliteSession } from './sqlite-session.ts'

/** The files of this package. */
const STORE_FORMAT: StoreFormat = {
  title: 'a store of decisions',
  packageName: '@palimpsest/decisions',
  /** "DECs" in ASCII. */
  applicationId: 0x44454373,
  migrations: MIGRATIONS,
  error: (code, message, options) => new StoreError(code, message, options),
}

export interface SqliteDecisionStoreOptions {
  /** The file. It is made when there is none, readable by its owner only; its folder must be there. */
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
  if (path === ':memory:' || path === '')
    throw new InvalidOptionError(
      'path',
      'a store needs a file; createMemoryDecisionStore() keeps one in memory',
    )
  const mode = readOnly ? 'read' : create ? 'create' : 'write'
  const connection = createConnection({ path, mode, format: STORE_FORMAT })

  const find = async (ref: Required<DecisionSessionRef>) => {
    const no = await connection.read((sql) => findSession(sql, ref))
    return no === undefined ? null : createSqliteSession(connection, no, ref)
  }

  return {
    kind: 'sqlite',
    location: connection.path,
    async session(ref, at) {
      parseOptions(timeSchema(), at, 'at')
      const name = checkRef(ref)
      const known = await find(name)
      if (known !== null) return known
      const no = await connection.write((sql) => findSession(sql, name) ?? insertSession(sql, name, at))
      return createSqliteSession(connection, no, name)
    },
    async find(ref) {
      return find(checkRef(ref))
    },
    list: ({ principal } = {}) => connection.direct((sql) => listSessions(sql, principal)),
    events: ({ principal = DEFAULT_PRINCIPAL, ...query }) =>
      connection.read((sql) => readEvents(sql, findPrincipal(sql, principal), query)),
    scopes: (principal = DEFAULT_PRINCIPAL) =>
      connection.read((sql) => readScopes(sql, findPrincipal(sql, principal))),
    check: () => connection.direct(checkFile),
    async close() {
      connection.close()
    },
  }
}
