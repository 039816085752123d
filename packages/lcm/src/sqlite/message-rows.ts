import { insertSealed, type Sql } from '@palimpsest/sqlite-kit'
import { isReplaced } from '../history/replaced-ranges.ts'
import { isStoredAs } from '../messages/encode-message.ts'
import type { LcmSession, MessageQuery, SeqRange } from '../store/lcm-session.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import { type Script, scriptOf } from '../store-kit/fold-text.ts'
import {
  hashBytes,
  hashOf,
  LAST_NUMBER,
  type MessageColumns,
  messageColumns,
  toStoredMessage,
} from '../store-kit/row-columns.ts'
import type { NewMessage } from '../store-kit/stored-session.ts'
import { indexMessage } from './index-text.ts'
import { readRows } from './read-rows.ts'
import { MESSAGE_TABLE } from './schema.ts'
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
    'SELECT message.id, shape, text, hash FROM json_each(?) AS wanted CROSS JOIN message ON message.id = wanted.value'
  const rows = sql.lists<[number, string, string, Uint8Array]>(query, JSON.stringify(ids))
  const stored = new Map(
    rows.map(([id, shape, text, hash]) => [id, { shape, text, hash: hashOf(hash) }] as const),
  )
  return messages.map((message, index) => {
    const row = stored.get(ids[index] ?? -1)
    return row !== undefined && isStoredAs(row, message)
  })
}
