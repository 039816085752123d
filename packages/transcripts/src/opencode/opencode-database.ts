import { existsSync } from 'node:fs'
import { TranscriptError } from '../transcript.ts'

/** A session in the database of opencode. */
export interface OpencodeSession {
  /** For `readTranscript`: the database's path, `#` and the session's id. */
  readonly path: string
  /** The folder that it was about. */
  readonly directory: string
  /** The user's first words. */
  readonly began: string | undefined
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
  /** Of all that was said in it. */
  readonly bytes: number
  readonly compactions: number
}

const PLACE = /^(.+\.db)#(\w+)$/

/** A session in a database; undefined for the path of a file. */
export function opencodePlace(path: string): { readonly database: string; readonly id: string } | undefined {
  const [, database, id] = PLACE.exec(path) ?? []
  return database === undefined || id === undefined || existsSync(path) ? undefined : { database, id }
}

const SESSIONS = `
  SELECT s.id, s.directory, s.time_updated AS modifiedAt,
    (SELECT coalesce(sum(octet_length(data)), 0) FROM part WHERE session_id = s.id) AS bytes,
    (SELECT count(*) FROM message WHERE session_id = s.id AND json_extract(data, '$.summary') = 1) AS compactions,
    (SELECT json_extract(p.data, '$.text') FROM message m JOIN part p ON p.message_id = m.id
      WHERE m.session_id = s.id AND json_extract(m.data, '$.role') = 'user' AND json_extract(p.data, '$.type') = 'text'
      ORDER BY m.time_created, m.id, p.id LIMIT 1) AS began
  FROM session s WHERE s.parent_id IS NULL AND EXISTS (SELECT 1 FROM message WHERE session_id = s.id)`

/**
 * The sessions in a database of opencode, without those of sub-agents; none where there is no database.
 *
 * @param id the only one that is asked for.
 * @throws TranscriptError when the database cannot be read.
 */
export async function listOpencodeSessions(database: string, id?: string): Promise<OpencodeSession[]> {
  if (!existsSync(database)) return []
  return reading(database, (sql) => {
    const rows = sql
      .prepare(`${SESSIONS}${id === undefined ? '' : ' AND s.id = ?'}`)
      .all(...(id === undefined ? [] : [id]))
    return rows.map(({ id, directory, began, modifiedAt, bytes, compactions }) => ({
      path: `${database}#${id}`,
      directory: String(directory),
      began: typeof began === 'string' ? began : undefined,
      modifiedAt: Number(modifiedAt),
      bytes: Number(bytes),
      compactions: Number(compactions),
    }))
  })
}

/**
 * Calls `onMessage` for each message of a session, as JSON, with its number from 1. What was taken back is left out.
 *
 * @param from messages at the beginning that are passed over.
 * @throws TranscriptError
 */
export async function readOpencodeMessages(
  { database, id }: { readonly database: string; readonly id: string },
  from: number,
  onMessage: (text: string, number: number) => void,
): Promise<void> {
  if (!existsSync(database)) throw missing(`${database} does not exist`)
  await reading(database, (sql) => {
    const end = endOf(sql, id)
    if (end === undefined) throw missing(`${database} has no session ${id}`)
    const parts = sql.prepare('SELECT data FROM part WHERE message_id = ? ORDER BY id')
    const messages = sql
      .prepare('SELECT id, data FROM message WHERE session_id = ? AND id < ? ORDER BY id LIMIT -1 OFFSET ?')
      .iterate(id, end, from)
    let number = from
    for (const message of messages) {
      const list = parts.all(String(message.id)).map(({ data }) => data)
      const info = `{"id":${JSON.stringify(message.id)},${String(message.data).trimStart().slice(1)}`
      onMessage(`{"info":${info},"parts":[${list.join(',')}]}`, ++number)
    }
  })
}

/**
 * The id of a message of a session, by its number from 1: another one than before means that messages before it are gone.
 *
 * @param path as `listOpencodeSessions` returns it.
 * @returns undefined where there is no such message.
 * @throws TranscriptError when the database cannot be read.
 */
export async function opencodeMessageId(path: string, number: number): Promise<string | undefined> {
  const { database, id } = opencodePlace(path) ?? {}
  if (database === undefined || id === undefined || !existsSync(database)) return undefined
  return reading(database, (sql) => {
    const row = sql
      .prepare('SELECT id FROM message WHERE session_id = ? AND id < ? ORDER BY id LIMIT 1 OFFSET ?')
      .get(id, endOf(sql, id) ?? '', number - 1)
    return row === undefined ? undefined : String(row.id)
  })
}

/**
 * Whether the parts of a session hold a word, in any case of its letters.
 *
 * @param path as `listOpencodeSessions` returns it.
 * @param word of ASCII letters, digits and `_`.
 * @throws TranscriptError when the database cannot be read.
 */
export async function opencodeHolds(path: string, word: string): Promise<boolean> {
  const { database, id } = opencodePlace(path) ?? {}
  if (database === undefined || id === undefined || !existsSync(database)) return false
  return reading(database, (sql) => {
    const has = sql.prepare("SELECT 1 FROM part WHERE session_id = ? AND data LIKE ? ESCAPE '\\' LIMIT 1")
    return has.get(id, `%${word.replaceAll('_', '\\_')}%`) !== undefined
  })
}

function missing(what: string): TranscriptError {
  return new TranscriptError('TRANSCRIPT_NOT_FOUND', `${what}; check the path`)
}

/** A message that was taken back, with all behind it, or what is behind all ids; undefined where there is no session. */
function endOf(sql: Database, id: string): string | undefined {
  const session = sql.prepare('SELECT revert FROM session WHERE id = ?').get(id)
  if (session === undefined) return undefined
  const { messageID = '~' } = JSON.parse(String(session.revert ?? '{}')) as { readonly messageID?: string }
  return messageID
}

type Database = import('node:sqlite').DatabaseSync

async function reading<T>(path: string, read: (sql: Database) => T): Promise<T> {
  const { DatabaseSync } = await import('node:sqlite')
  let sql: Database | undefined
  try {
    sql = new DatabaseSync(path, { readOnly: true })
    return read(sql)
  } catch (cause) {
    if (TranscriptError.isInstance(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TranscriptError(
      'TRANSCRIPT_UNREADABLE',
      `${path} cannot be read as a database of opencode: ${reason}`,
      { cause },
    )
  } finally {
    sql?.close()
  }
}
