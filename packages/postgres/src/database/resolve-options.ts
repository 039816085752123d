import { InvalidOptionError } from '@palimpsest/core'
import { Client, type Pool } from 'pg'
import { POSTGRES_DEFAULTS, type PostgresOptions } from '../postgres-options.ts'
import { createPostgresPool } from './create-pool.ts'
import { positiveOption } from './positive-option.ts'

/** The options with what holds where one was not given, and the pool to use. */
export interface ResolvedOptions {
  readonly pool: Pool
  /** Ends the pool, unless the caller gave it. */
  end(): Promise<void>
  /** The address without a user or a password. */
  readonly location: string
  readonly schema: string
  readonly statementTimeout: number
  readonly migrate: boolean
  readonly rowSecurity: boolean
}

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
  const statementTimeout = positiveOption('statementTimeout', options)
  const own = pool ?? createPostgresPool({ ...options, url: url ?? '' })
  listenTo(own)
  return {
    pool: own,
    async end() {
      if (pool === undefined) await own.end()
    },
    location: `${locationOf(own)} (schema ${schema})`,
    schema,
    statementTimeout,
    migrate: options.migrate ?? POSTGRES_DEFAULTS.migrate,
    rowSecurity: options.rowSecurity ?? POSTGRES_DEFAULTS.rowSecurity,
  }
}

/** Pools that are listened to: many stores may share one. */
const LISTENED_TO = new WeakSet<Pool>()

/**
 * A connection may break in the moment in which the pool hands it over, when neither side listens; without a listener
 * that ends the process. Whoever uses the connection hears of it by the next statement.
 */
function listenTo(pool: Pool): void {
  if (LISTENED_TO.has(pool)) return
  LISTENED_TO.add(pool)
  pool.on('connect', (client) => client.on('error', () => {}))
}

/** Where a pool connects to, by the rules of `pg`: its options, the address, and the environment. */
function locationOf({ options }: Pool): string {
  // Without a user there is no default for the database either.
  const { host, port, database = '' } = new Client(options)
  return host.startsWith('/') ? `${host}/.s.PGSQL.${port}/${database}` : `${host}:${port}/${database}`
}
