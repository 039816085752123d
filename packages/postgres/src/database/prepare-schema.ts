import { escapeIdentifier } from 'pg'
import type { DatabaseFormat } from './database-format.ts'
import type { Sql } from './sql.ts'
import type { TransactionSettings } from './transaction-settings.ts'

type Transact = <T>(settings: Partial<TransactionSettings>, work: (sql: Sql) => Promise<T>) => Promise<T>

interface SchemaPlan {
  readonly format: DatabaseFormat
  readonly location: string
  readonly schema: string
  readonly migrate: boolean
  readonly rowSecurity: boolean
}

/** "LCMs" in ASCII, for an advisory lock: one process at a time creates tables. */
const LOCK = 0x4c434d73

const MIN_SERVER = 140_000

/**
 * Creates or migrates the tables. Looks without a lock first, so that a user without rights to create tables can work.
 *
 * @throws the format's errors: `STORE_TOO_NEW` for tables of a newer version of this package.
 */
export async function prepareSchema(transact: Transact, plan: SchemaPlan): Promise<void> {
  const { format, location, migrate, rowSecurity } = plan
  const { version, isSecured } = await transact({ mode: 'read' }, (sql) => readState(sql, plan))
  checkVersion(version, plan)
  if (version === format.migrations.length && (isSecured || !rowSecurity)) return
  if (!migrate)
    throw format.error(
      'NOT_A_STORE',
      `the tables of ${location} are not there, or not up to date; open the store once with migrate: true`,
    )
  // Creating an index on many rows may take long.
  await transact({ statementTimeout: 0 }, async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock($1)', LOCK)
    const state = await readState(sql, plan)
    checkVersion(state.version, plan)
    await migrateFrom(sql, state.version, plan)
    if (rowSecurity && !state.isSecured) await secureRows(sql, format)
  })
}

interface SchemaState {
  readonly version: number
  readonly isSecured: boolean
}

/** Reads the catalogs as tables: `to_regclass` answers from a cache that may be older than the lock. */
async function readState(sql: Sql, { format, schema }: SchemaPlan): Promise<SchemaState> {
  const tables = await sql.all<{ name: string; secured: boolean }>(
    `SELECT relname AS name, relrowsecurity AS secured
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relname = ANY ($2)`,
    ...[schema, ['palimpsest_version', ...format.tables]],
  )
  if (!tables.some(({ name }) => name === 'palimpsest_version')) return { version: 0, isSecured: false }
  const query = 'SELECT version FROM palimpsest_version WHERE store = $1'
  const row = await sql.get<{ version: number }>(query, format.name)
  const secured = tables.filter(({ secured }) => secured)
  return { version: row?.version ?? 0, isSecured: secured.length === format.tables.length }
}

function checkVersion(version: number, { format, location }: SchemaPlan): void {
  if (version <= format.migrations.length) return
  throw format.error(
    'STORE_TOO_NEW',
    `a newer version of @palimpsest/postgres wrote ${location} (${version}, not ${format.migrations.length}); update it`,
  )
}

async function migrateFrom(
  sql: Sql,
  version: number,
  { format, schema, location }: SchemaPlan,
): Promise<void> {
  const { migrations, name } = format
  if (version === migrations.length) return
  const server = await sql.get<{ number: number; encoding: string; hasSchema: boolean }>(
    `SELECT current_setting('server_version_num')::integer AS number,
       current_setting('server_encoding') AS encoding, EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1) AS "hasSchema"`,
    schema,
  )
  if (server === undefined || server.number < MIN_SERVER || server.encoding !== 'UTF8')
    throw format.error(
      'STORE_UNAVAILABLE',
      `${location} is version ${server?.number} with the encoding ${server?.encoding}; a store needs PostgreSQL 14 or later and UTF8`,
    )
  if (!server.hasSchema) await sql.run(`CREATE SCHEMA ${escapeIdentifier(schema)}`)
  await sql.run(
    `CREATE TABLE IF NOT EXISTS palimpsest_version (
       store text PRIMARY KEY, version integer NOT NULL, changed_at timestamptz NOT NULL
     )`,
  )
  const trigrams = await trigramSchema(sql)
  for (const migration of migrations.slice(version)) await sql.script(migration(trigrams))
  await sql.run(
    `INSERT INTO palimpsest_version (store, version, changed_at) VALUES ($1, $2, now())
     ON CONFLICT (store) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at`,
    ...[name, migrations.length],
  )
}

/** The schema of `pg_trgm`, which a database has once; it is created in `public` if it is missing. */
async function trigramSchema(sql: Sql): Promise<string> {
  const find = () =>
    sql.get<{ place: string }>(
      `SELECT nspname AS place FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
       WHERE extname = 'pg_trgm'`,
    )
  const known = await find()
  if (known === undefined) await sql.run('CREATE EXTENSION pg_trgm WITH SCHEMA public')
  return escapeIdentifier(known?.place ?? 'public')
}

/**
 * Each principal sees its own rows; each transaction names its principal. Afterwards the connection's name is empty,
 * which belongs to no principal.
 */
async function secureRows(sql: Sql, { tables }: DatabaseFormat): Promise<void> {
  const isOwn = `principal = nullif(current_setting('palimpsest.principal', true), '')`
  for (const table of tables) {
    const name = escapeIdentifier(table)
    await sql.run(`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`)
    await sql.run(`DROP POLICY IF EXISTS palimpsest_principal ON ${name}`)
    await sql.run(`CREATE POLICY palimpsest_principal ON ${name} USING (${isOwn}) WITH CHECK (${isOwn})`)
  }
}
