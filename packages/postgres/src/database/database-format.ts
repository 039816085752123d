/** What can be wrong with a database, see the `StoreError` of the engine's package. */
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
   * What begins the names of its tables, with the version in the table of versions: `lcm`. The table `<name>_session`,
   * which writes with a `session` lock a row of, has the columns `no bigint` and `receipts uuid[]`.
   */
  readonly name: string
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
