import type { Sql } from '@palimpsest/sqlite-kit'
import { foldText, gramText, type Script, wordText } from '../store-kit/fold-text.ts'
import type { FullTextTable } from './schema.ts'

/** Adds what is searched of a message to the full-text tables. It must be what their views say. */
export function indexMessage(sql: Sql, id: number, text: string, script: Script): void {
  for (const [table, indexed] of indexedTexts(text, script))
    sql.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, id, indexed)
}

export function unindexMessage(sql: Sql, id: number, text: string, script: Script): void {
  for (const [table, indexed] of indexedTexts(text, script)) removeRow(sql, table, id, indexed)
}

export function indexSummary(sql: Sql, id: number, text: string): void {
  if (text !== '') sql.run('INSERT INTO summary_trigrams (rowid, text) VALUES (?, ?)', id, foldText(text))
}

export function unindexSummary(sql: Sql, id: number, text: string): void {
  if (text !== '') removeRow(sql, 'summary_trigrams', id, foldText(text))
}

function removeRow(sql: Sql, table: FullTextTable, id: number, indexed: string): void {
  sql.run(`INSERT INTO ${table} (${table}, rowid, text) VALUES ('delete', ?, ?)`, id, indexed)
}

function indexedTexts(text: string, script: Script): [FullTextTable, string][] {
  if (text === '') return []
  // The tokenizers fold ASCII themselves.
  if (script === 0)
    return [
      ['message_words', text],
      ['message_trigrams', text],
    ]
  const texts: [FullTextTable, string][] = [
    ['message_words', wordText(text)],
    ['message_trigrams', foldText(text)],
  ]
  if (script === 2) texts.push(['message_grams', gramText(text)])
  return texts
}
