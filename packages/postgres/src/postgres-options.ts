import type { Pool } from 'pg'

/** The options of a store. */
export interface PostgresOptions {
  /** An address such as `postgres://user:password@host:5432/database?sslmode=verify-full`. Exclusive with `pool`. */
  readonly url?: string
  /** An existing pool of the package `pg`, which the store never ends. With `pipeline: true`, calls wait less. */
  readonly pool?: Pool
  readonly schema?: string
  /** Maximum connections of a pool that is created from `url`. */
  readonly poolSize?: number
  /** Time limit for getting a connection, in milliseconds, of a pool that is created from `url`. */
  readonly connectTimeout?: number
  /** Time limit of one statement, in milliseconds, including the wait for other writers. */
  readonly statementTimeout?: number
  /**
   * Creates and migrates the tables. Set it to false for a user without the rights; another user then has to migrate.
   */
  readonly migrate?: boolean
  /**
   * Names the principal in each transaction and has the server hide other principals' rows. It does not bind the
   * tables' owner and superusers: give stores another role, which then sees nothing in calls about all principals
   * (`verify`, `list` without one). Principals must not be empty.
   */
  readonly rowSecurity?: boolean
}

export const POSTGRES_DEFAULTS = {
  schema: 'palimpsest',
  poolSize: 10,
  connectTimeout: 10_000,
  statementTimeout: 30_000,
  migrate: true,
  rowSecurity: false,
} as const
