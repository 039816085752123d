import { InvalidOptionError } from '@palimpsest/core'
import { Client, Pool } from 'pg'
import type { PostgresOptions } from '../postgres-options.ts'
import { positiveOption } from './positive-option.ts'

/** Options of a connection pool. */
export interface PostgresPoolOptions extends Pick<PostgresOptions, 'poolSize' | 'connectTimeout'> {
  /** An address such as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
  readonly url: string
}

/**
 * Creates a pool for several stores of one process. Each store takes it as `pool`; the caller ends it. Its clients
 * pipeline statements.
 *
 * @throws InvalidOptionError that names the wrong option, without a value that may contain a password.
 */
export function createPostgresPool({ url, ...options }: PostgresPoolOptions): Pool {
  checkUrl(url)
  const pool = new Pool({
    connectionString: url,
    application_name: 'palimpsest',
    max: positiveOption('poolSize', options),
    connectionTimeoutMillis: positiveOption('connectTimeout', options),
    keepAlive: true,
    pipeline: true,
    allowExitOnIdle: true,
  })
  // The next call replaces an idle connection that breaks.
  pool.on('error', () => {})
  return pool
}

/** Errors do not repeat the address, which may contain a password. */
function checkUrl(url: string): void {
  try {
    if (/^postgres(ql)?:\/\//.test(url)) return void new Client({ connectionString: url })
  } catch {}
  throw new InvalidOptionError('url', 'url: expected an address such as postgres://user@host:5432/database')
}
