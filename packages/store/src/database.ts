export type Value = string | number | null

/** The statements of one transaction. Each question mark takes one value. */
export interface Sql {
  all<Row>(statement: string, values?: readonly Value[]): Promise<Row[]>
  /** Returns the number of rows that it changed. */
  run(statement: string, values?: readonly Value[]): Promise<number>
}

/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>

/** The tables whose texts are in the index. */
export const INDEXED = ['message', 'summary'] as const
export type Indexed = (typeof INDEXED)[number]

/** An entry of the index: a text in one case, without what a database cannot hold. */
export interface IndexEntry {
  readonly id: number
  readonly principal: string
  readonly text: string
}

/** The index of texts, in tables named `message_index` and `summary_index`. */
export interface TextIndex {
  /** The column with the id of the message or summary. */
  readonly id: string
  /** How the index is joined with the table that it is of. */
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

/** A database as the store needs it: transactions, and the few things in which databases differ. */
export interface Database {
  readonly kind: 'memory' | 'sqlite' | 'postgres'
  readonly location: string
  /** Reads one snapshot. The work may be done more than once. */
  read<T>(work: (sql: Sql) => Promise<T>, principal?: string): Promise<T>
  /**
   * Durable when the promise resolves. The work may be done more than once until it is done.
   *
   * @param session The number of the session whose row the work locks first, if it is about one.
   */
  write<T>(work: (sql: Sql) => Promise<T>, principal: string, session?: number): Promise<T>
  /** The end of a query that locks a row until the transaction ends. */
  readonly lock: string
  /** The time of leases: `given`, or that of the database where machines share it. Milliseconds since the epoch. */
  now(sql: Sql, given: number): Promise<number>
  /** Keeps others from recording events of a principal until the end of the transaction: events come in the order of their numbers. */
  lockEvents(sql: Sql, principal: string): Promise<void>
  readonly index: TextIndex
  /** Faults of files and pages. */
  check(sql: Sql): Promise<string[]>
  close(): Promise<void>
}
