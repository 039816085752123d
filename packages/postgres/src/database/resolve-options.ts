import { InvalidOptionError } from '@palimpsest/core'
import { Client, type Pool } from 'pg'
import { POSTGRES_DEFAULTS, type PostgresOptions } from '../postgres-options.ts'
import { createPostgresPool } from './create-pool.ts'
import { positiveOption } from './positive-option.ts'

export interface ResolvedOptions {
  readonly pool: Pool
  end(): Promise<void>
  readonly location: string
  readonly schema: string
  readonly statementTimeout: number
  readonly migrate: boolean
  readonly rowSecurity: boolean
}

/** Maximum length of a schema's name, in bytes of UTF-8: PostgreSQL truncates longer names. */
const MAX_NAME = 63

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

/** Several stores may share a pool, which needs one listener. */
const LISTENED_TO = new WeakSet<Pool>()

/**
 * A connection may break while the pool hands it over, when neither side listens; an error without a listener would end
 * the process. The next statement reports the failure.
 */
function listenTo(pool: Pool): void {
  if (LISTENED_TO.has(pool)) return
  LISTENED_TO.add(pool)
  pool.on('connect', (client) => client.on('error', () => {}))
}

/** The pool's target by `pg`'s rules: its options, the address, and the environment. */
function locationOf({ options }: Pool): string {
  const { host, port, database = '' } = new Client(options)
  return host.startsWith('/') ? `${host}/.s.PGSQL.${port}/${database}` : `${host}:${port}/${database}`
}
