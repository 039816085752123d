/** A fault of a database, see the `StoreError` of the engine's package. */
export type DatabaseErrorCode =
  | 'STORE_UNAVAILABLE'
  | 'STORE_BUSY'
  | 'STORE_CORRUPT'
  | 'STORE_TOO_NEW'
  | 'NOT_A_STORE'
  | 'STORE_CLOSED'

/** The tables of one engine, and who writes them. */
export interface DatabaseFormat {
  /**
   * The beginning of its tables' names, and its name in the table of versions: `lcm`. The table `<name>_session`, of
   * which a write with a `session` locks a row, has the columns `no bigint` and `receipts uuid[]`.
   */
  readonly name: string
  /** Its table of sessions. Default `<name>_session`. */
  readonly sessions?: string
  /**
   * The steps from an empty schema to the newest version: one of version n has the first n behind it. A step that was
   * published is never changed. `trigrams`: the schema of the extension `pg_trgm`, quoted.
   */
  readonly migrations: readonly ((trigrams: string) => string)[]
  /** Its tables that have a column `principal`: what row-level security is about. */
  readonly tables: readonly string[]
  /** Makes the error that a store rejects with. */
  readonly error: (code: DatabaseErrorCode, message: string, options?: { cause?: unknown }) => Error
}
