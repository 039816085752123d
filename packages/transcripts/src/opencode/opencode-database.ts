import { existsSync } from 'node:fs'
import { TranscriptError } from '../transcript-error.ts'

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
    (SELECT coalesce(sum(length(data)), 0) FROM part WHERE session_id = s.id) AS bytes,
    (SELECT count(*) FROM message WHERE session_id = s.id AND json_extract(data, '$.summary') = 1) AS compactions,
    (SELECT json_extract(p.data, '$.text') FROM part p JOIN message m ON m.id = p.message_id
      WHERE p.session_id = s.id AND json_extract(m.data, '$.role') = 'user' AND json_extract(p.data, '$.type') = 'text'
      ORDER BY p.id LIMIT 1) AS began
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
 * Calls `onMessage` for each message of a session, as JSON. What was taken back is left out.
 *
 * @throws TranscriptError
 */
export async function readOpencodeMessages(
  { database, id }: { readonly database: string; readonly id: string },
  onMessage: (text: string, number: number) => void,
): Promise<void> {
  const missing = (what: string) => new TranscriptError('TRANSCRIPT_NOT_FOUND', `${what}; check the path`)
  if (!existsSync(database)) throw missing(`${database} does not exist`)
  await reading(database, (sql) => {
    const session = sql.prepare('SELECT revert FROM session WHERE id = ?').get(id)
    if (session === undefined) throw missing(`${database} has no session ${id}`)
    const { messageID } = JSON.parse(String(session.revert ?? '{}')) as { readonly messageID?: string }
    const parts = sql.prepare('SELECT data FROM part WHERE message_id = ? ORDER BY id')
    const messages = sql.prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY id').all(id)
    for (const [index, message] of messages.entries()) {
      if (messageID !== undefined && String(message.id) >= messageID) break
      const list = parts.all(String(message.id)).map(({ data }) => data)
      const info = `{"id":${JSON.stringify(message.id)},${String(message.data).trimStart().slice(1)}`
      onMessage(`{"info":${info},"parts":[${list.join(',')}]}`, index + 1)
    }
  })
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
