import type { Sql, SqlValue } from './sql.ts'

/** Rows that go to the server in one statement: PostgreSQL takes 65,535 values, and a row has a dozen at most. */
const BATCH_ROWS = 500

/**
 * Inserts rows in their order. `behind`: what stands behind the values, such as `ON CONFLICT DO NOTHING`. Returns how
 * many were inserted.
 */
export async function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  behind = '',
): Promise<number> {
  let inserted = 0
  for (const statement of insertStatements(table, columns, rows, behind))
    inserted += await sql.run(...statement)
  return inserted
}

/** The statements that insert rows in their order, each with its values. */
export function* insertStatements(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  behind = '',
): Generator<[string, ...SqlValue[]]> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows.slice(start, start + BATCH_ROWS)
    const lines = batch.map(
      (_, row) => `(${columns.map((_, index) => `$${row * columns.length + index + 1}`)})`,
    )
    yield [`INSERT INTO ${table} (${columns}) VALUES ${lines} ${behind}`, ...batch.flat()]
  }
}
