import { errorText, PalimpsestError } from '@palimpsest/core'
import { createLocalLocks, type SessionLocks } from '@palimpsest/gateway'
import { packName } from '@palimpsest/lcm/store-kit'
import type { DatabaseFormat, SqlValue } from '@palimpsest/postgres/database'
import {
  checkFile,
  openDatabase,
  resultCode,
  SEAL_COLUMN,
  type StoreFormat,
  sealTables,
  toStoreError,
} from '@palimpsest/sqlite-kit'
import { storeOpener } from '../../stores/open-in-database.ts'
import { createPostgresLocks, fenceLock } from '../../stores/postgres-locks.ts'
import type { DatabasePlace, StorePlace } from '../../stores/store-place.ts'
import { UsageError } from '../../usage-error.ts'

export type StoreKind = 'memory' | 'sqlite' | 'postgres'

/** The statements of one transaction, in the SQL that SQLite and PostgreSQL share. Parameters are `$1`, `$2`, … */
export interface Sql {
  all<Row>(query: string, ...values: readonly Value[]): Promise<Row[]>
  /** The first row; undefined when there is none. */
  get<Row>(query: string, ...values: readonly Value[]): Promise<Row | undefined>
  run(query: string, ...values: readonly Value[]): Promise<unknown>
}

type Value = Extract<SqlValue, string | number | null>

/** Something that is wrong in a store. */
export interface StoreFault {
  /** Kebab-case, for programs. */
  readonly code: string
  /** One sentence for a person. */
  readonly message: string
}

/** The tables of a service, in SQLite or in PostgreSQL. Rejects with errors that have a code `STORE_…`. */
export interface ServiceDatabase {
  readonly kind: StoreKind
  /** Whose rows these are, as it is stored. */
  readonly principal: string
  /** Shared by all that share the database. */
  readonly locks: SessionLocks
  /** Behind a `SELECT`: other writers wait for the rows until the transaction ends. */
  readonly forUpdate: string
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Durable when the promise resolves.
   *
   * @param session the number of the conversation that work locks with `forUpdate`. Without it, work must be such that doing
   *   it twice is doing it once.
   */
  write<T>(work: (sql: Sql) => Promise<T>, session?: number): Promise<T>
  /** Whether a lock is still that of its holder. It is not taken over before the end of the transaction. */
  isHeld(sql: Sql, lock: string, token: number): Promise<boolean>
  /** What is wrong below the tables. Reads all of a file. */
  faults(): Promise<StoreFault[]>
  close(): Promise<void>
}

/**
 * The tables of a service. A file belongs to this process until it is closed: two services that answer from one record would
 * not know of each other's turns. A database is shared by any number of them. Without a place, everything is in memory.
 *
 * @param principal whose rows they are.
 */
export async function openServiceDatabase(
  place: StorePlace | undefined,
  principal: string,
): Promise<ServiceDatabase> {
  try {
    if (place?.kind !== 'postgres') return openFile(place?.path, principal, 'create')
    return await openPostgres(place, principal, true)
  } catch (cause) {
    if (resultCode(cause) === BUSY)
      throw new UsageError(
        `--store: ${place?.name} is used by another process; stop it, or name another file`,
        { cause },
      )
    const error = toStoreError(cause, place?.name ?? ':memory:', SERVE_FILE)
    throw new UsageError(`--store: ${errorText(error)}`, { cause })
  }
}

/** The same for reading. Rejects with the error of a store that cannot be read. */
export async function readServiceDatabase(place: StorePlace, principal: string): Promise<ServiceDatabase> {
  if (place.kind === 'postgres') return openPostgres(place, principal, false)
  try {
    return openFile(place.path, principal, 'read')
  } catch (error) {
    throw toStoreError(error, place.path, SERVE_FILE)
  }
}

/** SQLite's code for a file that another process has locked. */
const BUSY = 5

function openFile(path = ':memory:', principal: string, mode: 'create' | 'read'): ServiceDatabase {
  const file = openDatabase(path, mode, SERVE_FILE)
  try {
    // The lock is taken with the next write, kept to the end, and gone with the process however that ends.
    if (mode === 'create') file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
  } catch (error) {
    file.close()
    throw error
  }
  const native = (query: string) => query.replace(/\$(?=\d)/g, '?')
  const sql: Sql = {
    all: async (query, ...values) => file.all(native(query), ...values),
    get: async (query, ...values) => file.get(native(query), ...values),
    run: async (query, ...values) => file.run(native(query), ...values),
  }
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()
  /** One transaction after the other, all of it or nothing. */
  const transact = <T>(begin: string, work: (sql: Sql) => Promise<T>): Promise<T> => {
    const run = last.then(async () => {
      if (isClosed) throw SERVE_FILE.error('STORE_CLOSED', `the store ${path} was closed`)
      try {
        file.run(begin)
        const result = await work(sql)
        file.run('COMMIT')
        return result
      } catch (error) {
        rollBack(file)
        throw toStoreError(error, path, SERVE_FILE)
      }
    })
    last = run.catch(() => {})
    return run
  }
  return {
    kind: path === ':memory:' ? 'memory' : 'sqlite',
    principal: packName(principal),
    locks: createLocalLocks(),
    forUpdate: '',
    read: (work) => transact('BEGIN', work),
    write: (work) => transact('BEGIN IMMEDIATE', work),
    isHeld: async () => true,
    faults: async () => checkFile(file),
    async close() {
      await last
      if (!isClosed) file.close()
      isClosed = true
    },
  }
}

function rollBack(file: { run(sql: string): void }): void {
  try {
    file.run('ROLLBACK')
  } catch {
    // Some errors have ended the transaction already.
  }
}

/** @param mayMake False for who only looks at what is there. */
async function openPostgres(
  place: DatabasePlace,
  principal: string,
  mayMake: boolean,
): Promise<ServiceDatabase> {
  const load = async () => {
    const { createDatabase } = await import('@palimpsest/postgres/database')
    return (options: Parameters<typeof createDatabase>[0]) => createDatabase(options, SERVE_DATABASE)
  }
  const database = (await storeOpener(place, load, mayMake))()
  const scope = { principal: packName(principal) }
  const locks = createPostgresLocks(database, { principal })
  try {
    await database.read(scope, (sql) => sql.get('SELECT EXISTS (SELECT 1 FROM serve_session)'))
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    kind: 'postgres',
    principal: scope.principal,
    locks,
    forUpdate: 'FOR NO KEY UPDATE',
    read: (work) => database.read(scope, work),
    write: (work, session) => database.write({ ...scope, ...(session !== undefined && { session }) }, work),
    isHeld: (sql, name, token) =>
      fenceLock(sql as Parameters<typeof fenceLock>[0], { principal, name }, token),
    faults: async () => [],
    async close() {
      await locks.close()
      await database.close()
    },
  }
}

/** `id`: a number that the database gives out. A question mark: may be null. */
type Column = 'id' | 'text' | 'integer' | 'time' | 'text?' | 'integer?'

interface Table {
  readonly columns: Readonly<Record<string, Column>>
  readonly key: readonly string[]
  readonly unique?: readonly string[]
  /** The rows of `serve_session` or `serve_client` that it belongs to, by the column `session` or `client`. */
  readonly of?: 'session' | 'client'
}

/**
 * The tables of services. A row of `serve_session` is one conversation of the service's own, of which a session has one
 * after each `/init`; a row of `serve_client` is a conversation that the gateway recognises.
 *
 * Names are packed (`packName`) and compared by their bytes. Texts of callers are JSON: databases take no NUL, and no lone
 * surrogate. Times are milliseconds since the epoch.
 */
const TABLES: Readonly<Record<string, Table>> = {
  serve_session: {
    columns: {
      ...{ no: 'id', principal: 'text', name: 'text', epoch: 'integer', repo: 'text?', system: 'text' },
      ...{ turns: 'integer', messages: 'integer', projection: 'text?', created_at: 'time', last_at: 'time' },
    },
    key: ['no'],
    unique: ['principal', 'name', 'epoch'],
  },
  serve_message: {
    columns: { session: 'integer', seq: 'integer', principal: 'text', json: 'text' },
    key: ['session', 'seq'],
    of: 'session',
  },
  /** The answers to requests that their callers named. */
  serve_request: {
    columns: { session: 'integer', id: 'text', principal: 'text', hash: 'text', response: 'text' },
    key: ['session', 'id'],
    of: 'session',
  },
  serve_cost: {
    columns: {
      ...{ session: 'integer', purpose: 'text', model: 'text', principal: 'text', calls: 'integer' },
      ...{ prompt: 'integer', cached: 'integer', written: 'integer', written_long: 'integer' },
      ...{ completion: 'integer', reasoning: 'integer' },
    },
    key: ['session', 'purpose', 'model'],
    of: 'session',
  },
  serve_client: {
    columns: {
      ...{ no: 'id', principal: 'text', owner: 'text', name: 'text', named: 'integer', token: 'integer' },
      ...{ anchor: 'text', turn: 'integer', first: 'integer', hashes: 'text', used: 'time' },
    },
    key: ['no'],
    unique: ['principal', 'owner', 'name'],
  },
  /** What a client of the gateway never saw: calls of the engine's tools with their results. */
  serve_hidden: {
    columns: { client: 'integer', hash: 'text', principal: 'text', messages: 'text' },
    key: ['client', 'hash'],
    of: 'client',
  },
}

const INDEXES = `
  CREATE INDEX serve_client_anchor ON serve_client (principal, owner, anchor);
  CREATE INDEX serve_client_used ON serve_client (principal, used);
`

interface Types extends Readonly<Record<'id' | 'text' | 'integer' | 'time', string>> {
  /** Columns that all tables have, and that `serve_session` has. */
  readonly ofAll: string
  readonly ofSession: string
}

function createTables(types: Types): string {
  const tables = Object.entries(TABLES).map(([name, { columns, key, unique, of }]) => {
    const lines = Object.entries(columns).map(([column, type]) => {
      const isOptional = type.endsWith('?')
      return `${column} ${types[type.replace('?', '') as keyof Types]}${isOptional ? '' : ' NOT NULL'}`
    })
    const ends = [
      ...(types.ofAll === '' ? [] : [types.ofAll]),
      ...(name === 'serve_session' && types.ofSession !== '' ? [types.ofSession] : []),
      ...(columns.no === 'id' ? [] : [`PRIMARY KEY (${key})`]),
      ...(unique === undefined ? [] : [`UNIQUE (${unique})`]),
      ...(of === undefined ? [] : [`FOREIGN KEY (${of}) REFERENCES serve_${of} (no) ON DELETE CASCADE`]),
    ]
    return `CREATE TABLE ${name} (${[...lines, ...ends].join(', ')});`
  })
  return `${tables.join('\n')}\n${INDEXES}`
}

const error: StoreFormat['error'] & DatabaseFormat['error'] = (code, message, options) =>
  new PalimpsestError(code, message, options)

/** The file of `palimpsest serve --store`: every row has a seal. */
const SERVE_FILE: StoreFormat = {
  title: 'a store of palimpsest serve',
  packageName: '@palimpsest/cli',
  // "PLSV" in ASCII.
  applicationId: 0x504c5356,
  migrations: [
    createTables({
      ...{ id: 'INTEGER PRIMARY KEY', text: 'TEXT', integer: 'INTEGER', time: 'INTEGER' },
      ...{ ofAll: SEAL_COLUMN, ofSession: '' },
    }) +
      sealTables(
        Object.entries(TABLES).map(([table, { key, columns }]) => ({
          ...{ table, key, columns: Object.keys(columns) },
        })),
      ),
  ],
  error,
}

/**
 * The tables of all workers in a PostgreSQL database, and `serve_lock`, which says who may write to what: its time is the
 * server's, which is one clock for all.
 */
export const SERVE_DATABASE: DatabaseFormat = {
  name: 'serve',
  tables: [...Object.keys(TABLES), 'serve_lock'],
  migrations: [
    () =>
      `${createTables({
        ...{ id: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY', text: 'text COLLATE "C"' },
        ...{ integer: 'bigint', time: 'double precision' },
        ...{ ofAll: '', ofSession: "receipts uuid[] NOT NULL DEFAULT '{}'" },
      })}
      CREATE TABLE serve_lock (
        principal text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        token bigint NOT NULL,
        holder uuid,
        until timestamptz,
        PRIMARY KEY (principal, name)
      ) WITH (fillfactor = 50);`,
  ],
  error,
}
