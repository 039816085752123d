import { BROKEN_ROWS, sealOf } from './seals.ts'
import type { Sql } from './sql.ts'
import { isMisfit } from './sqlite-error.ts'

/** Something that is wrong in a file. */
export interface FileFault {
  readonly code: 'damaged-file' | 'dangling-reference' | 'changed-schema' | 'changed-row'
  /** One sentence for a person. */
  readonly message: string
}

/** Rows of a table that are named. */
const MOST_NAMED = 100

/** The faults of a file: its pages and indexes as SQLite sees them, references, rows. Reads all of it. */
export function checkFile(sql: Sql): FileFault[] {
  const pages = checkPages(sql)
  if (pages.length > 0) return pages
  type Reference = { readonly table: string; readonly parent: string }
  const references = sql.all<Reference>('PRAGMA foreign_key_check').map(({ table, parent }) => ({
    code: 'dangling-reference' as const,
    message: `A row of ${table} refers to a ${parent} that is missing.`,
  }))
  return [...references, ...checkSchema(sql), ...brokenRows(sql)]
}

/** Reports of SQLite's own check that are read. */
const MAX_REPORTS = 100

function checkPages(sql: Sql): FileFault[] {
  return (
    readReports(sql)
      // Full-text tables read their texts through functions that not every connection has: their store looks at them.
      .filter(
        (report) =>
          report !== 'ok' && !/^(?:unable to validate|malformed inverted index|fts5:)/i.test(report),
      )
      .map((report) => ({ code: 'damaged-file', message: `The file is damaged: ${report}.` }))
  )
}

function readReports(sql: Sql): string[] {
  try {
    const reports = sql.all<{ integrity_check: string }>(`PRAGMA integrity_check(${MAX_REPORTS})`)
    return reports.map((row) => row.integrity_check)
  } catch (error) {
    if (!isMisfit(error)) throw error
    return [(error as Error).message]
  }
}

/** Seals what the migrations have made: a table or a trigger may be something else by one letter. */
export function sealSchema(sql: Sql): void {
  sql.exec('DROP TABLE IF EXISTS schema_seal; CREATE TABLE schema_seal (seal BLOB NOT NULL)')
  sql.run('INSERT INTO schema_seal VALUES (?)', schemaSeal(sql))
}

function schemaSeal(sql: Sql): Uint8Array {
  const query = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name'
  return sealOf(sql.all<Record<string, string | null>>(query).flatMap((row) => Object.values(row)))
}

function checkSchema(sql: Sql): FileFault[] {
  const isThere = sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'schema_seal'") !== undefined
  const stored = isThere ? sql.get<{ seal: Uint8Array }>('SELECT seal FROM schema_seal') : undefined
  if (stored !== undefined && Buffer.compare(stored.seal, schemaSeal(sql)) === 0) return []
  return [{ code: 'changed-schema', message: 'A table, an index or a trigger is not what was made.' }]
}

/** Rows whose content is not what was sealed, the first of each table. Reads all rows. */
export function brokenRows(sql: Sql): FileFault[] {
  const views = sql.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'view' AND name LIKE '%${BROKEN_ROWS}' ORDER BY name`,
  )
  return views.flatMap(({ name }) =>
    sql.all<{ row: string }>(`SELECT row FROM ${name} LIMIT ${MOST_NAMED}`).map(({ row }) => ({
      code: 'changed-row',
      message: `A row of ${name.slice(0, -BROKEN_ROWS.length)} (${row}) is not what was stored.`,
    })),
  )
}
