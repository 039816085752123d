import { insertSealed, type Sql } from '@palimpsest/sqlite-kit'
import type { LcmSession, MessageQuery, SeqRange } from '../store/lcm-session.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import { type Script, scriptOf } from '../store-kit/fold-text.ts'
import type { Lineage } from '../store-kit/lineage.ts'
import type { NewMessage } from '../store-kit/plan-write.ts'
import { type MessageColumns, messageColumns, toStoredMessage } from '../store-kit/row-columns.ts'
import { packHash, unpackHash } from '../store-kit/stored-values.ts'
import { indexMessage } from './index-text.ts'
import { readRows } from './lineage.ts'
import { numberOf } from './row-ids.ts'
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

export function readHashes(
  sql: Sql,
  lineage: Lineage,
  replaced: readonly SeqRange[],
  range: Parameters<LcmSession['hashes']>[0],
): { readonly seq: number; readonly hash: string }[] {
  const query = 'SELECT id, hash FROM message WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 0 + ?'
  return readRows(lineage, 'Seq', range, replaced, seqOf, (_, ...bounds) =>
    sql
      .lists<[id: number, hash: MessageRow['hash']]>(query, ...bounds)
      .map(([id, hash]) => ({ seq: numberOf(id), hash: unpackHash(hash) })),
  )
}

const seqOf = ({ seq }: { readonly seq: number }): number => seq

/** A row as a session gives it out. */
export function toMessage(row: MessageRow, replaced: readonly SeqRange[]): StoredMessage {
  return toStoredMessage(row, { seq: numberOf(row.id), hash: unpackHash(row.hash), replaced })
}
