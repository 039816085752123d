import type { EncodedMessage, SeqRange, StoredMessage } from '@palimpsest/lcm'
import { forgottenOf, isReplaced, packName, storedJson, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { hashBytes, hashOf } from './hash-bytes.ts'
import { indexedText } from './indexed-text.ts'
import type { SessionRow } from './session-row.ts'

/** A message as its table holds it, without what only the indexes need. */
export interface MessageRow {
  readonly seq: number
  readonly role: string
  readonly at: number
  readonly tokens: number
  readonly hash: Buffer
  readonly host_id: string | null
  readonly forgotten_at: number | null
  readonly forgotten_reason: string | null
  readonly shape: string
  readonly text: string
}

/** The columns of `MessageRow`. */
export const MESSAGE_COLUMNS =
  'seq, role, at, tokens, hash, host_id, forgotten_at, forgotten_reason, shape, text'

/** A message on its way into a table. */
export type NewMessage = Omit<EncodedMessage, 'at'> & Pick<StoredMessage, 'at' | 'forgotten'>

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

/** Writes messages from a number on: at once, or at the end. Returns the characters of their JSON texts. */
export async function insertMessages(
  send: Sql['run' | 'later'],
  { no, principal }: Pick<SessionRow, 'no' | 'principal'>,
  first: number,
  messages: readonly NewMessage[],
): Promise<number> {
  let characters = 0
  let pending = 0
  let rows: object[] = []
  for (const [index, message] of messages.entries()) {
    rows.push(rowOf(message, first + index))
    characters += message.json.length
    pending += message.json.length
    if (rows.length < BATCH_ROWS && pending < BATCH_CHARACTERS && index < messages.length - 1) continue
    await send(INSERT, no, principal, JSON.stringify(rows))
    rows = []
    pending = 0
  }
  return characters
}

function rowOf(message: NewMessage, seq: number): object {
  const { role, hostId, at, tokens, hash, json, shape, text, forgotten } = message
  return {
    ...{ seq, role: packName(role), at, tokens, characters: json.length },
    hash: hashBytes(hash).toString('hex'),
    ...(hostId !== undefined && { host_id: packName(hostId) }),
    ...(forgotten && { forgotten_at: forgotten.at, forgotten_reason: packName(forgotten.reason) }),
    ...{ shape, text, ...indexedText(text) },
  }
}

/** A row as a session gives it out. */
export function toStoredMessage(row: MessageRow, replaced: readonly SeqRange[]): StoredMessage {
  const { seq, role, at, tokens, hash, host_id: hostId } = row
  return {
    seq,
    role: unpackName(role),
    ...(hostId !== null && { hostId: unpackName(hostId) }),
    ...{ at, tokens, hash: hashOf(hash), json: storedJson(row), replaced: isReplaced(replaced, seq) },
    ...forgottenOf(row),
  }
}
