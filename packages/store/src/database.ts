import type { SearchTerm } from './types.ts'

export type Value = string | number | null

/** The statements of one transaction. Values stand for question marks. */
export interface Sql {
  all<Row>(statement: string, values?: readonly Value[]): Promise<Row[]>
  /** Returns the number of rows that it changed. */
  run(statement: string, values?: readonly Value[]): Promise<number>
}

/** The names of two tables in an index of texts. */
export type Indexed = 'message' | 'summary'

export interface IndexedRow {
  readonly id: number
  readonly principal: string
}

/** The rows that may hold terms: what to read them from, and on which condition. */
export interface Matching {
  /** The table under the name `entry`, joined with the index where that is a table of its own. */
  readonly from: string
  /** Undefined when the index is no help: every row must be looked at. */
  readonly condition?: string
  readonly values: readonly Value[]
  /** The id of a row, in the order in which the index reads fastest. */
  readonly id: string
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
  /** What stands behind a query that locks a row until the end of a transaction. */
  readonly lock: string
  /** The time of leases: `given`, or that of the database where machines share it. Milliseconds since the epoch. */
  now(sql: Sql, given: number): Promise<number>
  /** Keeps others from recording events of a principal until the end of the transaction: events come in the order of their numbers. */
  lockEvents(sql: Sql, principal: string): Promise<void>
  /** Puts a text into the index, or takes it out. Folded, and without what a database cannot hold. */
  index(sql: Sql, table: Indexed, row: IndexedRow, text: string | null): Promise<void>
  matching(table: Indexed, where: readonly (readonly SearchTerm[])[]): Matching
  /** Faults of files, pages and the index itself. `repair`: the index is empty afterwards. */
  check(sql: Sql): Promise<string[]>
  clearIndex(sql: Sql): Promise<void>
  close(): Promise<void>
}
