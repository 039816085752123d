import type { Sql } from '@palimpsest/sqlite-kit'
import type { Forgotten, SeqRange } from '../store/lcm-session.ts'
import { LAST_NUMBER, packName } from '../store-kit/row-columns.ts'
import { unindexMessage, unindexSummary } from './index-text.ts'
import type { MessageRow } from './message-rows.ts'
import { baseOf, numberOf } from './session-row.ts'

/** Rows that are read at a time: their texts are in memory. */
const PAGE_ROWS = 200

/** Deletes the content of messages, and of all summaries whose ranges hold one of them. Within a transaction. */
export function forgetMessages(
  sql: Sql,
  no: number,
  { first, last, reason, at }: SeqRange & { readonly reason: string; readonly at: number },
): Forgotten {
  const base = baseOf(no)
  const range = { first: Math.max(0, first), last: Math.min(LAST_NUMBER, last) }
  if (!(range.first <= range.last)) return { messages: 0, summaries: [] }
  const tombstone = [at, packName(reason)] as const
  let messages = 0
  for (;;) {
    const rows = sql.all<Pick<MessageRow, 'id' | 'script' | 'text'>>(
      `SELECT id, script, text FROM message
       WHERE id BETWEEN ? AND ? AND forgotten_at IS NULL ORDER BY id LIMIT ?`,
      ...[base + range.first, base + range.last, PAGE_ROWS],
    )
    for (const { id, script, text } of rows) {
      unindexMessage(sql, id, text, script)
      sql.run(
        `UPDATE message SET text = '', shape = '', script = 0, forgotten_at = ?, forgotten_reason = ? WHERE id = ?`,
        ...[...tombstone, id],
      )
    }
    messages += rows.length
    if (rows.length < PAGE_ROWS) break
  }
  const covering = sql.all<{ id: number; text: string }>(
    `SELECT id, text FROM summary
     WHERE id BETWEEN ? AND ? AND first <= ? AND last >= ? AND forgotten_at IS NULL ORDER BY id`,
    ...[base, base + LAST_NUMBER, range.last, range.first],
  )
  for (const { id, text } of covering) {
    unindexSummary(sql, id, text)
    sql.run(
      `UPDATE summary SET text = '', exact_text = NULL, forgotten_at = ?, forgotten_reason = ? WHERE id = ?`,
      ...[...tombstone, id],
    )
  }
  return { messages, summaries: covering.map(({ id }) => numberOf(id)) }
}
