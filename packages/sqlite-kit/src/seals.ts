import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Sql } from './sql.ts'

/** A table whose rows have a seal: a hash of what stands in them, which shows a change that SQLite does not see. */
export interface SealedTable {
  readonly table: string
  /** Columns of its primary key. */
  readonly key: readonly string[]
  /** Columns that are sealed, the key among them. */
  readonly columns: readonly string[]
}

/** A row whose content is not what was sealed. */
export interface BrokenSeal {
  readonly table: string
  /** Its key, for people, such as `conversation 3, seq 12`. */
  readonly row: string
}

/** Bytes of a seal: more than chance needs, and it guards against nothing else. */
const SEAL_BYTES = 16

/** Rows of a table that are named. */
const MOST_NAMED = 100

/** Adds the function that the triggers of sealed tables call. Whole numbers are the same as real ones and as large ones. */
export function addSealFunction(database: DatabaseSync): void {
  const options = { deterministic: true, varargs: true, useBigIntArguments: true } as const
  database.function('row_seal', options, (...values) => {
    const text = values.map((value) => (value === null ? '' : `${String(value).length}:${value}`)).join()
    return hash('sha256', text, 'buffer').subarray(0, SEAL_BYTES)
  })
}

/**
 * The steps of a migration that seal the rows of a table, and from then on each that is written. A row whose seal is broken
 * is not updated: that would seal the damage.
 */
export function sealTable(sealed: SealedTable): string {
  const { table, key, columns } = sealed
  const values = (row: string) => columns.map((column) => row + column).join(', ')
  const own = key.map((column) => `${column} = new.${column}`).join(' AND ')
  const seal = `UPDATE ${table} SET seal = row_seal(${values('new.')}) WHERE ${own};`
  return `
    ALTER TABLE ${table} ADD COLUMN seal BLOB NOT NULL DEFAULT x'${'00'.repeat(SEAL_BYTES)}';
    UPDATE ${table} SET seal = row_seal(${values('')});
    CREATE TRIGGER ${table}_sealed AFTER INSERT ON ${table} BEGIN ${seal} END;
    CREATE TRIGGER ${table}_broken BEFORE UPDATE OF ${columns.join(', ')} ON ${table}
      WHEN old.seal <> row_seal(${values('old.')})
      BEGIN SELECT raise(ABORT, 'a row of ${table} is not what was stored'); END;
    CREATE TRIGGER ${table}_resealed AFTER UPDATE OF ${columns.join(', ')} ON ${table} BEGIN ${seal} END;
  `
}

/** The condition of a query that is true for rows whose seal is broken. */
export function isBroken({ columns }: SealedTable): string {
  return `seal <> row_seal(${columns.join(', ')})`
}

/** Rows whose content is not what was sealed, the first of each table. Reads all rows. */
export function brokenSeals(sql: Sql, tables: readonly SealedTable[]): BrokenSeal[] {
  return tables.flatMap((sealed) => {
    const { table, key } = sealed
    const query = `SELECT ${key.join(', ')} FROM ${table} WHERE ${isBroken(sealed)} LIMIT ${MOST_NAMED}`
    return sql.all<Record<string, unknown>>(query).map((row) => ({
      table,
      row: Object.entries(row)
        .map(([column, value]) => `${column} ${value}`)
        .join(', '),
    }))
  })
}
