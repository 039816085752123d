export type Value = string | number | null

/** The statements of a transaction. Each question mark is replaced by a value. */
export interface Sql {
  all<Row>(statement: string, values?: readonly Value[]): Promise<Row[]>
  /** Runs a statement and returns the number of changed rows. */
  run(statement: string, values?: readonly Value[]): Promise<number>
}

/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>

/** The tables whose texts are indexed. */
export const INDEXED = ['message', 'summary'] as const
export type Indexed = (typeof INDEXED)[number]

/** An entry of the index: a case-folded text without characters that a database cannot store. */
export interface IndexEntry {
  readonly id: number
  readonly principal: string
  readonly text: string
}

/** The index of texts, in tables named `message_index` and `summary_index`. */
export interface TextIndex {
  readonly id: string
  /** The join of the index with its table. */
  readonly join: string
  row(entry: IndexEntry): Row | Promise<Row>
  /** The condition that a row holds a term of each list, and its values. The index is called `hits`. */
  match(
    table: Indexed,
    lists: readonly (readonly string[])[],
  ): { readonly condition: string; readonly values: readonly Value[] }
  /** A query for the ids of all entries, in a column `id`. */
  ids(table: Indexed): string
  clear(sql: Sql, table: Indexed): Promise<void>
}

/** The database of a store: transactions, and the differences between databases. */
export interface Database {
  readonly kind: 'memory' | 'sqlite' | 'postgres'
  readonly location: string
  /** Reads one snapshot. `work` may run more than once. */
  read<T>(work: (sql: Sql) => Promise<T>, principal?: string): Promise<T>
  /**
   * Runs a durable transaction. `work` may run more than once.
   *
   * @param session The session whose row `work` locks first, if any.
   */
  write<T>(work: (sql: Sql) => Promise<T>, principal: string, session?: number): Promise<T>
  /** The end of a query that locks a row until the transaction ends. */
  readonly lock: string
  /** The time for jobs, in milliseconds since the epoch: `given`, or a shared database's own. */
  now(sql: Sql, given: number): Promise<number>
  /** Locks a principal's events until the transaction ends, so that their numbers are in order. */
  lockEvents(sql: Sql, principal: string): Promise<void>
  readonly index: TextIndex
  /** Faults of files and pages. */
  check(sql: Sql): Promise<string[]>
  close(): Promise<void>
}
