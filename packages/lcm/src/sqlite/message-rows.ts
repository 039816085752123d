import type { Sql } from '@palimpsest/sqlite-kit'
import { isReplaced } from '../history/replaced-ranges.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import type { EncodedMessage, StoredMessage } from '../store/stored-message.ts'
import { type Script, scriptOf } from '../store-kit/fold-text.ts'
import { forgottenOf, storedJson } from '../store-kit/stored-json.ts'
import { packHash, packName, unpackHash, unpackName } from '../store-kit/stored-values.ts'
import { indexMessage } from './index-text.ts'
import { numberOf } from './row-ids.ts'

/** A message as its table holds it. */
export interface MessageRow {
  readonly id: number
  readonly role: string
  readonly at: number
  readonly tokens: number
  readonly characters: number
  readonly script: Script
  readonly hash: string | Uint8Array
  readonly host_id: string | null
  readonly forgotten_at: number | null
  readonly forgotten_reason: string | null
  readonly shape: string
  readonly text: string
}

const INSERT = `INSERT INTO message (id, role, at, tokens, characters, script, hash, host_id, forgotten_at,
  forgotten_reason, shape, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Writes a message and what is searched of it. Returns the characters of its JSON text. */
export function insertMessage(
  sql: Sql,
  id: number,
  message: Omit<EncodedMessage, 'hostId'> & Pick<StoredMessage, 'hostId' | 'at' | 'forgotten'>,
): number {
  const { role, hostId, at, tokens, hash, json, text, shape, forgotten } = message
  const script = scriptOf(text)
  sql.run(
    INSERT,
    ...[id, packName(role), at, tokens, json.length, script, packHash(hash)],
    ...[hostId === undefined ? null : packName(hostId), forgotten?.at ?? null],
    ...[forgotten === undefined ? null : packName(forgotten.reason), shape, text],
  )
  indexMessage(sql, id, text, script)
  return json.length
}

/** A row as a session gives it out. */
export function toStoredMessage(row: MessageRow, replaced: readonly SeqRange[]): StoredMessage {
  const { id, role, at, tokens, hash, host_id: hostId } = row
  const seq = numberOf(id)
  return {
    seq,
    role: unpackName(role),
    ...(hostId !== null && { hostId: unpackName(hostId) }),
    at,
    tokens,
    hash: unpackHash(hash),
    json: storedJson(row),
    replaced: isReplaced(replaced, seq),
    ...forgottenOf(row),
  }
}
