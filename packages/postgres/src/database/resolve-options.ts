import { InvalidOptionError } from '@palimpsest/core'
import { Client, type Pool, type PoolClient, Pool as PostgresPool } from 'pg'
import { POSTGRES_DEFAULTS, type PostgresOptions } from '../postgres-options.ts'
import { SPARE_TIME } from './transaction.ts'

/** The options with what holds where one was not given, and the pool to use. */
export interface ResolvedOptions {
  readonly pool: Pool
  /** Ends the pool, unless it belongs to somebody else. */
  end(): Promise<void>
  /** The address without a user or a password. */
  readonly location: string
  readonly schema: string
  readonly statementTimeout: number
  readonly migrate: boolean
  readonly rowSecurity: boolean
}

/** Milliseconds: the longest time of a timer, and nearly that of PostgreSQL's own limits. */
const MAX_OPTION = 2 ** 31 - 1 - SPARE_TIME

/** The longest name of a schema, in bytes of UTF-8: PostgreSQL cuts off what is longer. */
const MAX_NAME = 63

/** @throws InvalidOptionError names the option that is wrong, without its value when that may hold a password. */
export function resolveOptions(options: PostgresOptions): ResolvedOptions {
  const { url, pool } = options
  if ((url === undefined) === (pool === undefined))
    throw new InvalidOptionError('url', 'give either `url` or `pool`, such as url: postgres://host/database')
  const schema = options.schema ?? POSTGRES_DEFAULTS.schema
  if (schema === '' || Buffer.byteLength(schema) > MAX_NAME || schema.includes('\0'))
    throw new InvalidOptionError('schema', `schema: expected a name of 1 to ${MAX_NAME} bytes`)
  const statementTimeout = positive('statementTimeout', options)
  const own = pool ?? createPool(url ?? '', options)
  own.on('connect', listen)
  return {
    pool: own,
    async end() {
      own.off('connect', listen)
      if (pool === undefined) await own.end()
    },
    location: `${locationOf(own)} (schema ${schema})`,
    schema,
    statementTimeout,
    migrate: options.migrate ?? POSTGRES_DEFAULTS.migrate,
    rowSecurity: options.rowSecurity ?? POSTGRES_DEFAULTS.rowSecurity,
  }
}

/**
 * A connection may break in the moment in which the pool hands it over, when neither side listens; without a listener
 * that ends the process. Whoever uses the connection hears of it by the next statement.
 */
function listen(client: PoolClient): void {
  client.on('error', () => {})
}

function createPool(url: string, options: PostgresOptions): Pool {
  checkUrl(url)
  const pool = new PostgresPool({
    connectionString: url,
    application_name: 'palimpsest',
    max: positive('poolSize', options),
    connectionTimeoutMillis: positive('connectTimeout', options),
    keepAlive: true,
    // A process that has nothing else to do may end.
    allowExitOnIdle: true,
  })
  // A connection that breaks while nobody uses it is replaced by the next call.
  pool.on('error', () => {})
  return pool
}

/** The address itself is not said again: there may be a password in it. */
function checkUrl(url: string): void {
  try {
    if (/^postgres(ql)?:\/\//.test(url)) return void new Client({ connectionString: url })
  } catch {
    // What `pg` says of a wrong address repeats it.
  }
  throw new InvalidOptionError('url', 'url: expected an address such as postgres://user@host:5432/database')
}

function positive(
  name: 'poolSize' | 'connectTimeout' | 'statementTimeout',
  options: PostgresOptions,
): number {
  const value = options[name] ?? POSTGRES_DEFAULTS[name]
  if (Number.isInteger(value) && value >= 1 && value <= MAX_OPTION) return value
  throw new InvalidOptionError(name, `${name}: expected a whole number from 1 on, but got ${String(value)}`)
}

/** Where a pool connects to, by the rules of `pg`: its options, the address, and the environment. */
function locationOf({ options }: Pool): string {
  const { host, port, database } = new Client(options)
  return host.startsWith('/') ? `${host}/.s.PGSQL.${port}/${database}` : `${host}:${port}/${database}`
}
