import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { addSealFunction, type SealedTable, sealOf } from './seals.ts'

/** A connection whose statements are compiled once. */
export interface Sql {
  /** The first row; undefined when there is none. */
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[]
  /** All rows, each as the list of its columns: many of them come faster so than as objects. */
  lists<Row extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]): Row[]
  run(sql: string, ...values: SQLInputValue[]): void
  /** Several statements, not kept. */
  exec(sql: string): void
  close(): void
}

/** Keeps the statements of a connection, which may call `row_seal` (see `sealTables`). `node:sqlite` binds every number as a real one. Columns turn it into an integer; in `MATCH` queries, a cast must. */
export function createSql(database: DatabaseSync): Sql {
  addSealFunction(database)
  const statements = new Map<string, StatementSync>()
  const lists = new Map<string, StatementSync>()
  const prepare = (sql: string, known = statements): StatementSync => {
    const prepared = known.get(sql)
    if (prepared !== undefined) return prepared
    const statement = database.prepare(sql)
    statement.setReturnArrays(known === lists)
    known.set(sql, statement)
    return statement
  }
  return {
    get: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as Row[],
    lists: <Row extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]) =>
      prepare(sql, lists).all(...values) as unknown[] as Row[],
    run(sql, ...values) {
      prepare(sql).run(...values)
    },
    exec(sql) {
      database.exec(sql)
    },
    close() {
      database.close()
    },
  }
}

/** Does work as one transaction: all of it, or nothing. */
export function inTransaction<T>(sql: Sql, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (sql: Sql) => T): T {
  sql.run(begin)
  try {
    const result = work(sql)
    sql.run('COMMIT')
    return result
  } catch (error) {
    try {
      sql.run('ROLLBACK')
    } catch {
      // Some errors have ended the transaction already.
    }
    throw error
  }
}

/** Inserts a row: the values of its columns by their names. */
export function insertRow(sql: Sql, table: string, columns: Readonly<Record<string, SQLInputValue>>): void {
  const names = Object.keys(columns)
  sql.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(columns),
  )
}

/** Inserts a row with its seal, into a table that `comesSealed`. Columns left out are null. */
export function insertSealed(
  sql: Sql,
  { table, columns }: SealedTable,
  row: Readonly<Record<string, SQLInputValue>>,
): void {
  insertRow(sql, table, { ...row, seal: sealOf(columns.map((column) => row[column] ?? null)) })
}
