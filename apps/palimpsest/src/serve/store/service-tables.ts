import { PalimpsestError } from '@palimpsest/core'
import type { DatabaseFormat } from '@palimpsest/postgres/database'
import { SEAL_COLUMN, type StoreFormat, sealTables } from '@palimpsest/sqlite-kit'

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
export const SERVE_FILE: StoreFormat = {
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
