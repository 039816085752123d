import { hash } from 'node:crypto'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** A table whose rows have a seal: a hash of what stands in them, which shows a change that SQLite does not see. */
export interface SealedTable {
  readonly table: string
  /** Columns of its primary key. */
  readonly key: readonly string[]
  /** Columns that are sealed, the key among them. */
  readonly columns: readonly string[]
  /** True when all rows come by `insertSealed`: many are in sooner than with a trigger. Default false. */
  readonly comesSealed?: boolean
}

/** Bytes of a seal: more than chance needs, and it guards against nothing else. */
const SEAL_BYTES = 16

/** Behind the name of a sealed table: the view of its rows with a broken seal. */
export const BROKEN_ROWS = '_broken_rows'

/** Adds the function that the triggers of sealed tables call. Whole numbers are the same as real ones and as large ones. */
export function addSealFunction(database: DatabaseSync): void {
  const options = { deterministic: true, varargs: true, useBigIntArguments: true } as const
  database.function('row_seal', options, (...values) => sealOf(values))
}

/** The seal of values in the order of the sealed columns. */
export function sealOf(values: readonly SQLInputValue[]): Uint8Array {
  return hash('sha256', values.map(sealedText).join(), 'buffer').subarray(0, SEAL_BYTES)
}

/** A value with its length, so that no two rows are the same text. */
function sealedText(value: SQLInputValue): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? value : plainText(value)
  return `${text.length}:${text}`
}

/** The same for a whole number as JavaScript has it and as SQLite gives it out, and for all kinds of byte arrays. */
function plainText(value: Exclude<SQLInputValue, string | null>): string {
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
  return String(Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value)
}

/** The last column of a sealed table. */
export const SEAL_COLUMN = `seal BLOB NOT NULL DEFAULT x'${'00'.repeat(SEAL_BYTES)}'`

/**
 * The statements that seal each row which is written from then on, for tables that have a `SEAL_COLUMN` and no rows yet. A row
 * whose seal is broken is not updated: that would seal the damage.
 */
export function sealTables(tables: readonly SealedTable[]): string {
  return tables.map(guardSeals).join('\n')
}

function guardSeals(sealed: SealedTable): string {
  const { table, key, columns, comesSealed = false } = sealed
  const values = (row: string) => columns.map((column) => row + column).join(', ')
  const own = key.map((column) => `${column} = new.${column}`).join(' AND ')
  const name = key.map((column) => `'${column} ' || ${column}`).join(" || ', ' || ")
  const seal = `UPDATE ${table} SET seal = row_seal(${values('new.')}) WHERE ${own};`
  return `
    ${comesSealed ? '' : `CREATE TRIGGER ${table}_sealed AFTER INSERT ON ${table} BEGIN ${seal} END;`}
    CREATE TRIGGER ${table}_broken BEFORE UPDATE OF ${columns.join(', ')} ON ${table}
      WHEN old.seal <> row_seal(${values('old.')})
      BEGIN SELECT raise(ABORT, 'a row of ${table} is not what was stored'); END;
    CREATE VIEW ${table}${BROKEN_ROWS} AS SELECT ${name} AS row FROM ${table} WHERE ${isBroken(sealed)};
    CREATE TRIGGER ${table}_resealed AFTER UPDATE OF ${columns.join(', ')} ON ${table} BEGIN ${seal} END;
  `
}

/** The condition of a query that is true for rows whose seal is broken. */
export function isBroken({ columns }: Pick<SealedTable, 'columns'>): string {
  return `seal <> row_seal(${columns.join(', ')})`
}
