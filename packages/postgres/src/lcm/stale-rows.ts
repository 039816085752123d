import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { indexedText } from './indexed-text.ts'

/** Rows whose texts are in memory at a time. */
const PAGE_ROWS = 200

/** A row with what the indexes are told of it. */
interface IndexedRow {
  readonly session: number
  readonly number: number
  /** Names of the session, packed. */
  readonly principal: string
  readonly key: string
  readonly text: string
  readonly folded: string | null
  /** Null in a summary, of which no words are indexed. */
  readonly words: readonly string[] | null
  readonly grams: readonly string[] | null
}

/** A row whose columns that are searched do not say what its text says. */
export interface StaleRow extends Pick<IndexedRow, 'session' | 'number' | 'principal' | 'key' | 'text'> {
  readonly table: 'lcm_message' | 'lcm_summary'
}

const QUERIES = {
  lcm_message: `SELECT session, seq AS number, lcm_session.principal, key, text, folded,
      tsvector_to_array(words) AS words, grams
    FROM lcm_message JOIN lcm_session ON no = session
    WHERE (session, seq) > ($1, $2) ORDER BY session, seq LIMIT $3`,
  lcm_summary: `SELECT session, number, lcm_session.principal, key, text, folded, NULL AS words, NULL AS grams
    FROM lcm_summary JOIN lcm_session ON no = session
    WHERE (session, number) > ($1, $2) ORDER BY session, number LIMIT $3`,
} as const

/** Reads all texts, page by page. */
export async function* staleRows(database: Database): AsyncGenerator<StaleRow> {
  for (const table of ['lcm_message', 'lcm_summary'] as const) {
    let last: Pick<IndexedRow, 'session' | 'number'> | undefined = { session: 0, number: 0 }
    while (last !== undefined) {
      const { session, number } = last
      const page: IndexedRow[] = await database.read({}, (sql) =>
        sql.all<IndexedRow>(QUERIES[table], session, number, PAGE_ROWS),
      )
      for (const row of page) if (isStale(row)) yield { ...row, table }
      last = page.at(-1)
    }
  }
}

function isStale({ text, folded, words, grams }: IndexedRow): boolean {
  const wanted = indexedText(text)
  if (folded !== wanted.folded) return true
  if (words === null) return false
  return (
    setText(words) !== setText(wanted.words.split(' ').filter(Boolean)) || listText(grams) !== wanted.grams
  )
}

function setText(words: readonly string[]): string {
  return words.toSorted().join(' ')
}

function listText(grams: readonly string[] | null): string | null {
  return grams === null ? null : grams.join(' ')
}

/** Makes the columns anew from the text. */
export async function mendRow(sql: Sql, { table, session, number, text }: StaleRow): Promise<void> {
  const { folded, words, grams } = indexedText(text)
  if (table === 'lcm_summary')
    await sql.run(
      'UPDATE lcm_summary SET folded = $4 WHERE session = $1 AND number = $2 AND text = $3',
      ...[session, number, text, folded],
    )
  else
    await sql.run(
      `UPDATE lcm_message SET folded = $4, words = array_to_tsvector(string_to_array($5, ' ')),
         grams = string_to_array($6, ' ') WHERE session = $1 AND seq = $2 AND text = $3`,
      ...[session, number, text, folded, words, grams],
    )
}
