import { insertRow, type Sql } from '@palimpsest/sqlite-kit'
import type { SeqRange } from '../store/lcm-session.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import { type Script, scriptOf } from '../store-kit/fold-text.ts'
import type { NewMessage } from '../store-kit/plan-write.ts'
import { type MessageColumns, messageColumns, toStoredMessage } from '../store-kit/row-columns.ts'
import { packHash, unpackHash } from '../store-kit/stored-values.ts'
import { indexMessage } from './index-text.ts'
import { numberOf } from './row-ids.ts'

/** A message as its table holds it. */
export interface MessageRow extends MessageColumns {
  readonly id: number
  readonly script: Script
  readonly hash: string | Uint8Array
}

/** Writes a message and what is searched of it. */
export function insertMessage(sql: Sql, id: number, message: NewMessage): void {
  const { text } = message
  const script = scriptOf(text)
  insertRow(sql, 'message', { id, script, hash: packHash(message.hash), ...messageColumns(message) })
  indexMessage(sql, id, text, script)
}

/** A row as a session gives it out. */
export function toMessage(row: MessageRow, replaced: readonly SeqRange[]): StoredMessage {
  return toStoredMessage(row, { seq: numberOf(row.id), hash: unpackHash(row.hash), replaced })
}
