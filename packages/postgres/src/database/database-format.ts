/** A fault of a database; see `StoreError` in `@palimpsest/store`. */
export type DatabaseErrorCode =
  | 'STORE_UNAVAILABLE'
  | 'STORE_BUSY'
  | 'STORE_CORRUPT'
  | 'STORE_TOO_NEW'
  | 'NOT_A_STORE'
  | 'STORE_CLOSED'

/** The tables of an engine, and their errors. */
export interface DatabaseFormat {
  /**
   * The prefix of the tables' names, and the name in the table of versions: `lcm`. The table `<name>_session`, of which
   * a write with a `session` locks a row, has the columns `no bigint` and `receipts uuid[]`.
   */
  readonly name: string
  /** The table of sessions. Default `<name>_session`. */
  readonly sessions?: string
  /**
   * The migrations from an empty schema to the newest version; version n has applied the first n. A published migration
   * never changes. `trigrams`: the quoted schema of the extension `pg_trgm`.
   */
  readonly migrations: readonly ((trigrams: string) => string)[]
  /** The tables with a column `principal`, to which row-level security applies. */
  readonly tables: readonly string[]
  /** Creates the error with which a store rejects. */
  readonly error: (code: DatabaseErrorCode, message: string, options?: { cause?: unknown }) => Error
}
