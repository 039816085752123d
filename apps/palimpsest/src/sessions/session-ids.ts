import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { databasePlace } from '@palimpsest/transcripts'

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i
/** Names that say nothing: there the folder has the id. */
const GENERAL = /^(?:events|api_conversation_history)$/
/** Matches aider's file, which contains several sessions in sequence. */
const HISTORY = /^\.aider/
const HASH_CHARACTERS = 12
const LEAST_SHOWN = 8

/** The id that the agent has for a session, else a hash of its path. It stays when others are written. */
export function sessionId(path: string): string {
  const stored = databasePlace(path)?.id
  if (stored !== undefined) return stored
  const file = basename(path)
    .replace(/\.zst$/, '')
    .replace(/\.jsonl?$/, '')
  if (HISTORY.test(file)) return createHash('sha256').update(path).digest('hex').slice(0, HASH_CHARACTERS)
  const name = GENERAL.test(file) ? basename(dirname(path)) : file
  return (UUID.exec(name)?.[0] ?? name.replace(/^session-/, '')).toWellFormed()
}

/** The beginning of each id that no other one has, 8 characters at least; the whole of one that is there twice. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = ids.toSorted()
  return new Map(
    sorted.map((id, at) => {
      const shared = Math.max(
        ...[sorted[at - 1], sorted[at + 1]].map((other = '') => commonLength(id, other)),
      )
      return [id, id.slice(0, Math.max(LEAST_SHOWN, shared + 1))]
    }),
  )
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
