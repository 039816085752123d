import type { Store } from '@palimpsest/core'
import { createStore, INDEXED, type Sql, StoreError, schemaOf, TABLES } from '@palimpsest/store'
import { createDatabase, type TransactionScope } from './database/create-database.ts'
import type { DatabaseFormat } from './database/database-format.ts'
import type { Sql as Statements } from './database/sql.ts'
import type { PostgresOptions } from './postgres-options.ts'

/** Texts are case-folded before indexing, so that the server's locale does not matter. */
const indexOf = (table: string, trigrams: string): string => `
  CREATE TABLE ${table}_index (id bigint PRIMARY KEY, principal text COLLATE "C" NOT NULL, text text COLLATE "C" NOT NULL);
  CREATE INDEX ${table}_trigrams ON ${table}_index USING gin (text ${trigrams}.gin_trgm_ops);`

const FORMAT: DatabaseFormat = {
  name: 'store',
  sessions: 'session',
  migrations: [
    (trigrams) => `
      ${schemaOf({
        integer: 'bigint',
        real: 'double precision',
        text: 'text COLLATE "C"',
        counter: 'bigint GENERATED ALWAYS AS IDENTITY',
      })}
      ALTER TABLE session ADD COLUMN receipts uuid[] NOT NULL DEFAULT '{}';
      ${INDEXED.map((table) => indexOf(table, trigrams)).join('\n')}`,
  ],
  tables: [...TABLES, ...INDEXED.map((table) => `${table}_index`)],
  error: (code, message, options) => new StoreError(code, message, options),
}

/**
 * Creates a store in a PostgreSQL database (14 or later, with the extension `pg_trgm`), which many machines may use at
 * once. The first call connects and creates the tables. Jobs use the server's clock.
 *
 * @throws InvalidOptionError that names the wrong option.
 */
export function createPostgresStore(options: PostgresOptions): Store {
  const database = createDatabase(options, FORMAT)
  const { location } = database
  return createStore({
    kind: 'postgres',
    location,
    read: (work, principal) => database.read({ principal }, (sql) => work(statements(sql))),
    write: (work, principal, session) => {
      const scope: TransactionScope = { principal, ...(session !== undefined && { session }) }
      return database.write(scope, (sql) => work(statements(sql)))
    },
    lock: ' FOR UPDATE',
    async now(sql) {
      const query = 'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS now'
      const [row] = await sql.all<{ now: number }>(query)
      return row?.now ?? 0
    },
    async lockEvents(sql, principal) {
      await sql.all('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [
        `palimpsest events of ${principal}`,
      ])
    },
    index: {
      id: 'id',
      join: 'JOIN',
      row: ({ id, principal, text }) => ({ id, principal, text }),
      match: (_, lists) => ({
        condition: lists
          .map((terms) => `(${terms.map(() => 'hits.text LIKE ?').join(' OR ')})`)
          .join(' AND '),
        values: lists.flat().map((term) => `%${term.replace(/[\\%_]/g, '\\$&')}%`),
      }),
      ids: (table) => `SELECT id FROM ${table}_index`,
      async clear(sql, table) {
        await sql.run(`DELETE FROM ${table}_index`)
      },
    },
    check: async () => [],
    close: () => database.close(),
  })
}

function statements(sql: Statements): Sql {
  return {
    all: (text, values = []) => sql.all(numbered(text), ...values),
    run: (text, values = []) => sql.run(numbered(text), ...values),
  }
}

function numbered(text: string): string {
  let count = 0
  return text.replace(/\?/g, () => `$${++count}`)
}
