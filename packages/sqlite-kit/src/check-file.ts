import { BROKEN_ROWS } from './seals.ts'
import type { Sql } from './sql.ts'
import { isMisfit } from './sqlite-error.ts'

/** Something that is wrong in a file. */
export interface FileFault {
  readonly code: 'damaged-file' | 'dangling-reference' | 'changed-row'
  /** One sentence for a person. */
  readonly message: string
}

/** Rows of a table that are named. */
const MOST_NAMED = 100

/** What is wrong with a file: its pages and indexes as SQLite sees them, references, rows. Reads all of it. */
export function checkFile(sql: Sql): FileFault[] {
  const pages = checkPages(sql)
  if (pages.length > 0) return pages
  type Reference = { readonly table: string; readonly parent: string }
  const references = sql.all<Reference>('PRAGMA foreign_key_check').map(({ table, parent }) => ({
    code: 'dangling-reference' as const,
    message: `A row of ${table} refers to a ${parent} that is missing.`,
  }))
  return [...references, ...brokenRows(sql)]
}

/** Reports of SQLite's own check that are read. */
const MAX_REPORTS = 100

function checkPages(sql: Sql): FileFault[] {
  return (
    readReports(sql)
      // Full-text tables read their texts through functions that not every connection has: their store looks at them.
      .filter((report) => report !== 'ok' && !/^(?:unable to validate|malformed inverted index|fts5:)/i.test(report))
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
