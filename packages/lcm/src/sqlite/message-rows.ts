import { insertSealed, type Sql } from '@palimpsest/sqlite-kit'
import { isReplaced, nextLive, previousLive } from '../history/replaced-ranges.ts'
import { isStoredAs, storableCopy } from '../messages/encode-message.ts'
import type { LcmSession, MessageQuery, SeqRange, StoredMessage } from '../store/lcm-session.ts'
import { foldText, gramText, type Script, scriptOf, wordText } from '../store-kit/fold-text.ts'
import {
  hashBytes,
  hashOf,
  LAST_NUMBER,
  type MessageColumns,
  messageColumns,
  rowLimit,
  toStoredMessage,
} from '../store-kit/row-columns.ts'
import type { NewMessage } from '../store-kit/stored-session.ts'
import { type FullTextTable, MESSAGE_TABLE } from './schema.ts'
import { baseOf, numberOf } from './session-row.ts'

export interface MessageRow extends MessageColumns {
  readonly id: number
  readonly script: Script
  readonly hash: Uint8Array
}

export function insertMessage(sql: Sql, id: number, message: NewMessage): void {
  const { text, hash } = message
  const script = scriptOf(text)
  insertSealed(sql, MESSAGE_TABLE, { id, script, hash: hashBytes(hash), ...messageColumns(message) })
  indexMessage(sql, id, text, script)
}

/** Messages of a session as it gives them out. `replaced`: what edits took back. */
export function readMessages(
  sql: Sql,
  no: number,
  replaced: readonly SeqRange[],
  { includeReplaced = false, order = 'oldest', ...range }: MessageQuery,
): StoredMessage[] {
  const query = `SELECT * FROM message WHERE id BETWEEN ? AND ? ORDER BY id ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT 0 + ?`
  const base = baseOf(no)
  return readRows(
    { ...range, order },
    includeReplaced ? [] : replaced,
    ({ seq }) => seq,
    (first, last, limit) =>
      sql
        .all<MessageRow>(query, base + first, base + last, limit)
        .map((row) => toStoredMessage(row, { seq: numberOf(row.id), hash: hashOf(row.hash), replaced })),
  )
}

export function compareMessages(
  sql: Sql,
  no: number,
  replaced: readonly SeqRange[],
  ...[seqs, messages]: Parameters<LcmSession['compare']>
): boolean[] {
  const base = baseOf(no)
  const ids = seqs.map((seq) =>
    seq >= 0 && seq <= LAST_NUMBER && !isReplaced(replaced, seq) ? base + seq : -1,
  )
  const query =
    'SELECT message.id, message.json, hash FROM json_each(?) AS wanted CROSS JOIN message ON message.id = wanted.value'
  const rows = sql.lists<[number, string, Uint8Array]>(query, JSON.stringify(ids))
  const stored = new Map(rows.map(([id, json, hash]) => [id, { json, hash: hashOf(hash) }] as const))
  return messages.map((message, index) => {
    const row = stored.get(ids[index] ?? -1)
    return row !== undefined && isStoredAs(row, message)
  })
}

/** Numbers of a session's rows, both inclusive, and how many are wanted of them. */
interface RowRange {
  readonly first?: number
  readonly last?: number
  readonly order?: 'newest' | 'oldest'
  readonly limit: number
}

/**
 * Rows of a session in the range's order.
 *
 * @param skipped The ranges to leave out.
 * @param read Reads the rows between two numbers, both inclusive, in the range's order.
 */
export function readRows<Row>(
  { first = 0, last = LAST_NUMBER, order = 'oldest', limit }: RowRange,
  skipped: readonly SeqRange[],
  numberOf: (row: Row) => number,
  read: (first: number, last: number, limit: number) => Row[],
): Row[] {
  const wanted = rowLimit(limit)
  const rows: Row[] = []
  let [low, high] = [Math.max(0, Math.ceil(first)), Math.min(LAST_NUMBER, Math.floor(last))]
  while (rows.length < wanted) {
    // Over a replaced run in one step, however long it is.
    if (order === 'newest') high = previousLive(skipped, high)
    else low = nextLive(skipped, low)
    if (!(low <= high)) break
    const missing = wanted - rows.length
    const batch = read(low, high, missing)
    for (const row of batch) if (skipped.length === 0 || !isReplaced(skipped, numberOf(row))) rows.push(row)
    const end = batch.at(-1)
    if (end === undefined || batch.length < missing) break
    if (order === 'newest') high = numberOf(end) - 1
    else low = numberOf(end) + 1
  }
  return rows
}

/** Adds what is searched of a message to the full-text tables. It must be what their views say. */
function indexMessage(sql: Sql, id: number, text: string, script: Script): void {
  for (const [table, indexed] of indexedTexts(text, script))
    sql.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, id, indexed)
}

export function unindexMessage(sql: Sql, id: number, text: string, script: Script): void {
  for (const [table, indexed] of indexedTexts(text, script)) removeRow(sql, table, id, indexed)
}

export function indexSummary(sql: Sql, id: number, text: string): void {
  if (text !== '')
    sql.run('INSERT INTO summary_trigrams (rowid, text) VALUES (?, ?)', id, foldText(storableCopy(text)))
}

export function unindexSummary(sql: Sql, id: number, text: string): void {
  if (text !== '') removeRow(sql, 'summary_trigrams', id, foldText(storableCopy(text)))
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
