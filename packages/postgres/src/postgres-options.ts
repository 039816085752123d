import type { Pool } from 'pg'

/** The options of a store. */
export interface PostgresOptions {
  /** Such as `postgres://user:password@host:5432/database?sslmode=verify-full`. Either this or `pool`. */
  readonly url?: string
  /** A pool of the package `pg` that is there already. A store never ends it. With `pipeline: true`, calls wait less. */
  readonly pool?: Pool
  /** Where the tables are. */
  readonly schema?: string
  /** Connections at most, of a pool that is made from `url`. */
  readonly poolSize?: number
  /** The wait for a connection, in milliseconds, of a pool that is made from `url`. */
  readonly connectTimeout?: number
  /** The time limit of one statement, waiting for other writers included, in milliseconds. */
  readonly statementTimeout?: number
  /** Makes the tables, and brings them up to date. False for a user who may not: another one does it before. */
  readonly migrate?: boolean
  /**
   * Tells the server in each transaction whose data it is about, and has it keep the rows of everybody else back. The
   * owner of the tables and superusers are not bound by that: give stores another role, which then sees nothing in
   * what is about all principals (`verify`, `list` without one). No principal may be empty then.
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
