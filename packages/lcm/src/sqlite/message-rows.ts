import { insertSealed, type Sql } from '@palimpsest/sqlite-kit'
import { isReplaced } from '../history/replaced-ranges.ts'
import { isStoredAs } from '../messages/encode-message.ts'
import type { LcmSession, MessageQuery, SeqRange } from '../store/lcm-session.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import { type Script, scriptOf } from '../store-kit/fold-text.ts'
import { type Lineage, messageSegment } from '../store-kit/lineage.ts'
import type { NewMessage } from '../store-kit/plan-write.ts'
import { type MessageColumns, messageColumns, toStoredMessage } from '../store-kit/row-columns.ts'
import { packHash, unpackHash } from '../store-kit/stored-values.ts'
import { indexMessage } from './index-text.ts'
import { readRows } from './lineage.ts'
import { baseOf, numberOf } from './row-ids.ts'
import { MESSAGE_TABLE } from './schema.ts'

export interface MessageRow extends MessageColumns {
  readonly id: number
  readonly script: Script
  readonly hash: string | Uint8Array
}

/** @param indexLater leaves the full-text tables to `indexNext`. */
export function insertMessage(sql: Sql, id: number, message: NewMessage, indexLater: boolean): void {
  const { text } = message
  const script = scriptOf(text)
  insertSealed(sql, MESSAGE_TABLE, {
    ...{ id, script, hash: packHash(message.hash) },
    ...messageColumns(message),
  })
  if (indexLater) sql.run('INSERT INTO unindexed (id) VALUES (?)', id)
  else indexMessage(sql, id, text, script)
}

/** Messages of a lineage as a session gives them out. `replaced`: what edits took back. */
export function readMessages(
  sql: Sql,
  lineage: Lineage,
  replaced: readonly SeqRange[],
  { includeReplaced = false, order = 'oldest', ...range }: MessageQuery,
): StoredMessage[] {
  const query = `SELECT * FROM message WHERE id BETWEEN ? AND ? ORDER BY id ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT 0 + ?`
  const skipped = includeReplaced ? [] : replaced
  return readRows(lineage, 'Seq', { ...range, order }, skipped, seqOf, (_, ...bounds) =>
    sql.all<MessageRow>(query, ...bounds).map((row) => toMessage(row, replaced)),
  )
}

export function compareMessages(
  sql: Sql,
  lineage: Lineage,
  replaced: readonly SeqRange[],
  ...[seqs, messages]: Parameters<LcmSession['compare']>
): boolean[] {
  const ids = seqs.map((seq) => {
    const segment = isReplaced(replaced, seq) ? undefined : messageSegment(lineage, seq)
    return segment === undefined ? -1 : baseOf(segment.session) + seq
  })
  const query =
    'SELECT message.id, shape, text, hash FROM json_each(?) AS wanted CROSS JOIN message ON message.id = wanted.value'
  const rows = sql.lists<[number, string, string, MessageRow['hash']]>(query, JSON.stringify(ids))
  const stored = new Map(
    rows.map(([id, shape, text, hash]) => [id, { shape, text, hash: unpackHash(hash) }] as const),
  )
  return messages.map((message, index) => {
    const row = stored.get(ids[index] ?? -1)
    return row !== undefined && isStoredAs(row, message)
  })
}

const seqOf = ({ seq }: { readonly seq: number }): number => seq

/** A row as a session gives it out. */
export function toMessage(row: MessageRow, replaced: readonly SeqRange[]): StoredMessage {
  return toStoredMessage(row, { seq: numberOf(row.id), hash: unpackHash(row.hash), replaced })
}
