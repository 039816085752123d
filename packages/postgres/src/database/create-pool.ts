import { InvalidOptionError } from '@palimpsest/core'
import { Client, Pool } from 'pg'
import type { PostgresOptions } from '../postgres-options.ts'
import { positiveOption } from './positive-option.ts'

/** Options of a pool. */
export interface PostgresPoolOptions extends Pick<PostgresOptions, 'poolSize' | 'connectTimeout'> {
  /** Such as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
  readonly url: string
}

/**
 * A pool as a store makes it from `url`, for several stores of one process: each takes it as `pool`, and its maker
 * ends it. Its clients pipeline: a statement is sent before the one in front of it is answered.
 *
 * @throws InvalidOptionError names the wrong option, without its value when that may hold a password.
 */
export function createPostgresPool({ url, ...options }: PostgresPoolOptions): Pool {
  checkUrl(url)
  const pool = new Pool({
    connectionString: url,
    application_name: 'palimpsest',
    max: positiveOption('poolSize', options),
    connectionTimeoutMillis: positiveOption('connectTimeout', options),
    keepAlive: true,
    // Statements need not wait for the answers to those in front of them.
    pipeline: true,
    // A process that has nothing else to do may end.
    allowExitOnIdle: true,
  })
  // A connection that breaks while it is idle is replaced by the next call.
  pool.on('error', () => {})
  return pool
}

/** The address itself is not said again: there may be a password in it. */
function checkUrl(url: string): void {
  try {
    if (/^postgres(ql)?:\/\//.test(url)) return void new Client({ connectionString: url })
  } catch {
    // The error of `pg` for a wrong address repeats the address.
  }
  throw new InvalidOptionError('url', 'url: expected an address such as postgres://user@host:5432/database')
}
