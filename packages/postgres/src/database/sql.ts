import { types } from 'pg'

export type SqlValue = string | number | boolean | null | Buffer | readonly (string | number | null)[]

/**
 * The statements of one transaction. No prepared statements are used, so that a transaction pooler works. A first
 * statement without values is sent together with the beginning.
 */
export interface Sql {
  all<Row>(query: string, ...values: readonly SqlValue[]): Promise<Row[]>
  get<Row>(query: string, ...values: readonly SqlValue[]): Promise<Row | undefined>
  /** Runs a statement and returns the number of changed rows. */
  run(query: string, ...values: readonly SqlValue[]): Promise<number>
  script(statements: string): Promise<void>
}

/** PostgreSQL's type number of `bigint`. */
const BIGINT = 20

/** `pg` returns bigints as texts. Our counters stay far below 2 ** 53, so they are read as numbers. */
export const TYPES: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (type, format) => (type === BIGINT ? Number : types.getTypeParser(type, format)),
}
