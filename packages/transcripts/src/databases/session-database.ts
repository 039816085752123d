import { existsSync } from 'node:fs'
import { TranscriptError } from '../transcript.ts'
import { type Database, LAYOUTS, type Layout } from './layouts.ts'

/** A session in the database of opencode, Hermes Agent or goose. */
export interface StoredAgentSession {
  /** The argument for `readTranscript`: the database's path, `#` and the session's id. */
  readonly path: string
  /** The session's folder; empty if the agent does not record it. */
  readonly directory: string
  readonly began: string | undefined
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
  /** The size of all messages, in bytes. */
  readonly bytes: number
  readonly compactions: number
}

const PLACE = /^(.+\.db)#([\w.:-]+)$/

export interface DatabasePlace {
  readonly database: string
  readonly id: string
}

/** Parses the path of a session in a database; undefined for a file's path. */
export function databasePlace(path: string): DatabasePlace | undefined {
  const [, database, id] = PLACE.exec(path) ?? []
  return database === undefined || id === undefined || existsSync(path) ? undefined : { database, id }
}

/**
 * Lists the sessions of an agent's database without those of sub-agents; empty for a missing or empty database.
 *
 * @param id Lists only this session.
 * @throws TranscriptError if the database cannot be read or has unknown tables.
 */
export async function listAgentSessions(database: string, id?: string): Promise<StoredAgentSession[]> {
  if (!existsSync(database)) return []
  return reading(database, (sql, layouts) => {
    const found = new Map<string, StoredAgentSession>()
    for (const layout of layouts) {
      for (const session of sessionsOf(sql, layout, database, id)) {
        const known = found.get(session.path)
        if (known === undefined || known.bytes < session.bytes) found.set(session.path, session)
      }
    }
    return [...found.values()]
  })
}

/**
 * Calls `onMessage` for each message of a session, as JSON, with its number from 1. Messages taken back are left out.
 *
 * @throws TranscriptError
 */
export async function readSessionRows(
  { database, id }: DatabasePlace,
  { from, branches }: { readonly from: number; readonly branches: 'last' | 'all' | undefined },
  onMessage: (text: string, number: number) => void,
): Promise<void> {
  if (!existsSync(database)) throw missing(`${database} does not exist`)
  await reading(database, (sql, layouts) => {
    const layout = layoutOf(sql, layouts, database, id)
    if (layout === undefined) throw missing(`${database} has no session ${id}`)
    let number = from
    const rows = sql.prepare(`${layout.messages(branches, columnsOf(sql))} LIMIT -1 OFFSET ?2`)
    for (const row of rows.iterate(id, from)) onMessage(JSON.stringify(layout.record(row, sql)), ++number)
  })
}

/**
 * The id of a session's message, by its number from 1. A changed id means that earlier messages were removed.
 *
 * @param path A path from `listAgentSessions`.
 * @returns Undefined if there is no such message.
 * @throws TranscriptError if the database cannot be read.
 */
export async function agentMessageId(path: string, number: number): Promise<string | undefined> {
  const { database, id } = databasePlace(path) ?? {}
  if (database === undefined || id === undefined || !existsSync(database)) return undefined
  return reading(database, (sql, layouts) => {
    const layout = layoutOf(sql, layouts, database, id)
    if (layout === undefined) return undefined
    const row = sql
      .prepare(`${layout.messages('last', columnsOf(sql))} LIMIT 1 OFFSET ?2`)
      .get(id, number - 1)
    return row === undefined ? undefined : String(row.id)
  })
}

/**
 * True if a session contains a word, ignoring case.
 *
 * @param path A path from `listAgentSessions`.
 * @param word ASCII letters, digits and `_`.
 * @throws TranscriptError if the database cannot be read.
 */
export async function agentSessionHolds(path: string, word: string): Promise<boolean> {
  const { database, id } = databasePlace(path) ?? {}
  if (database === undefined || id === undefined || !existsSync(database)) return false
  return reading(database, (sql, layouts) =>
    layouts.some(({ holds }) => sql.prepare(holds).get(id, `%${word.replaceAll('_', '\\_')}%`) !== undefined),
  )
}

function missing(what: string): TranscriptError {
  return new TranscriptError('TRANSCRIPT_NOT_FOUND', `${what}; check the path`)
}

function sessionsOf(sql: Database, layout: Layout, database: string, id?: string): StoredAgentSession[] {
  const all = `SELECT * FROM (${layout.sessions(columnsOf(sql))})`
  const rows = id === undefined ? sql.prepare(all).all() : sql.prepare(`${all} WHERE id = ?`).all(id)
  return rows.map((row) => ({
    path: `${database}#${row.id}`,
    directory: String(row.directory ?? ''),
    began: typeof row.began === 'string' ? row.began : undefined,
    modifiedAt: Number(row.modifiedAt),
    bytes: Number(row.bytes),
    compactions: Number(row.compactions),
  }))
}

/** A session migrated from an older version is complete in the layout with most of its messages. */
function layoutOf(
  sql: Database,
  layouts: readonly Layout[],
  database: string,
  id: string,
): Layout | undefined {
  let best: { readonly layout: Layout; readonly bytes: number } | undefined
  for (const layout of layouts)
    for (const { bytes } of sessionsOf(sql, layout, database, id))
      if (best === undefined || bytes > best.bytes) best = { layout, bytes }
  return best?.layout
}

function columnsOf(sql: Database): (column: string) => boolean {
  return (name) => {
    const [table, column] = name.split('.') as [string, string]
    return sql.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined
  }
}

const LATER = /^session_?v?(?:[3-9]|\d\d)$/

async function reading<T>(path: string, read: (sql: Database, layouts: readonly Layout[]) => T): Promise<T> {
  const { DatabaseSync } = await import('node:sqlite')
  let sql: Database | undefined
  try {
    sql = new DatabaseSync(path, { readOnly: true })
    const tables = sql
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name))
    const layouts = LAYOUTS.filter((layout) => layout.tables.every((table) => tables.includes(table)))
    const later = tables.filter((name) => LATER.test(name))
    if (later.length > 0 || (layouts.length === 0 && tables.length > 0))
      throw new TranscriptError(
        'TRANSCRIPT_UNKNOWN_FORMAT',
        `${path} has unknown tables (${(later.length > 0 ? later : tables).slice(0, 5).join(', ')}); update Palimpsest, or check the path`,
      )
    return read(sql, layouts)
  } catch (cause) {
    if (TranscriptError.isInstance(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TranscriptError(
      'TRANSCRIPT_UNREADABLE',
      `${path} cannot be read as an agent's database: ${reason}`,
      { cause },
    )
  } finally {
    sql?.close()
  }
}
