import type { SeqRange, StoredMessage } from '@palimpsest/lcm'
import {
  type MessageColumns,
  messageColumns,
  type NewMessage,
  toStoredMessage,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { hashBytes, hashOf } from './hash-bytes.ts'
import { indexedText } from './indexed-text.ts'
import type { SessionRow } from './session-row.ts'

/** A message as its table holds it, without what only the indexes need. */
export interface MessageRow extends Omit<MessageColumns, 'characters'> {
  readonly seq: number
  readonly hash: Buffer
}

/** The columns of `MessageRow`. */
export const MESSAGE_COLUMNS =
  'seq, role, at, tokens, hash, host_id, forgotten_at, forgotten_reason, shape, text'

/** Rows and characters that go to the server in one statement. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 8_000_000

const INSERT = `INSERT INTO lcm_message (session, principal, seq, role, at, tokens, characters, hash, host_id,
    forgotten_at, forgotten_reason, shape, text, folded, words, grams)
  SELECT $1, $2, seq, role, at, tokens, characters, decode(hash, 'hex'), host_id, forgotten_at, forgotten_reason,
    shape, text, folded, array_to_tsvector(string_to_array(words, ' ')), string_to_array(grams, ' ')
  FROM json_to_recordset($3) AS row (seq integer, role text, at double precision, tokens double precision,
    characters integer, hash text, host_id text, forgotten_at double precision, forgotten_reason text, shape text,
    text text, folded text, words text, grams text)`

/** Writes messages with the commit. */
export function insertMessages(
  sql: Sql,
  { no, principal }: Pick<SessionRow, 'no' | 'principal'>,
  messages: readonly NewMessage[],
): void {
  let pending = 0
  let rows: object[] = []
  for (const [index, message] of messages.entries()) {
    const { seq, hash, text } = message
    rows.push({
      seq,
      hash: hashBytes(hash).toString('hex'),
      ...messageColumns(message),
      ...indexedText(text),
    })
    pending += message.json.length
    if (rows.length < BATCH_ROWS && pending < BATCH_CHARACTERS && index < messages.length - 1) continue
    sql.later(INSERT, no, principal, JSON.stringify(rows))
    rows = []
    pending = 0
  }
}

/** A row as a session gives it out. */
export function toMessage(row: MessageRow, replaced: readonly SeqRange[]): StoredMessage {
  return toStoredMessage(row, { seq: row.seq, hash: hashOf(row.hash), replaced })
}
