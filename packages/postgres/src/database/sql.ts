import { types } from 'pg'

export type SqlValue = string | number | boolean | null | Buffer | readonly (string | number | null)[]

/**
 * The statements of one transaction. Nothing is prepared under a name, so that a transaction pooler may stand between.
 * When the first one has no values, it goes to the server together with the beginning.
 */
export interface Sql {
  all<Row>(query: string, ...values: readonly SqlValue[]): Promise<Row[]>
  /** The first row; undefined when there is none. */
  get<Row>(query: string, ...values: readonly SqlValue[]): Promise<Row | undefined>
  /** The number of rows that it changed. */
  run(query: string, ...values: readonly SqlValue[]): Promise<number>
  /** Several statements without values. */
  script(statements: string): Promise<void>
}

/** PostgreSQL's number of the type `bigint`. */
const BIGINT = 20

/** Counters are numbers: they end long before 2 ** 53. `pg` gives texts, because others need not. */
export const TYPES: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (type, format) => (type === BIGINT ? Number : types.getTypeParser(type, format)),
}
