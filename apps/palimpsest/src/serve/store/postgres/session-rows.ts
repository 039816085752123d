import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '@palimpsest/postgres/database'
import { miscount } from '../service-format.ts'
import {
  type Beginning,
  type ConversationRecord,
  type StoredConversation,
  type StoreFault,
  toRecord,
} from '../service-store.ts'

/** A conversation in its table. `session` is packed. */
interface SessionRow extends StoredConversation {
  readonly messages: number
}

const COLUMNS = 'no, name AS session, epoch, repo, system, turns, messages'

/** The latest conversation of a session. `principal`: packed. */
export async function findSession(
  sql: Sql,
  principal: string,
  session: string,
): Promise<ConversationRecord | undefined> {
  const row = await sql.get<SessionRow>(
    `SELECT ${COLUMNS} FROM serve_session WHERE principal = $1 AND name = $2 ORDER BY epoch DESC LIMIT 1`,
    ...[principal, packName(session)],
  )
  return row && fromRow(row)
}

/** Begins a conversation of a session, unless its latest one has no turn yet. Done twice, it is done once. */
export async function beginSession(
  sql: Sql,
  principal: string,
  beginning: Beginning,
): Promise<ConversationRecord> {
  const { session, repoName, at, least } = beginning
  const latest = await findSession(sql, principal, session)
  const epoch = latest?.turns === 0 ? latest.epoch : Math.max(least, (latest?.epoch ?? 0) + 1)
  const row = await sql.get<SessionRow>(
    `INSERT INTO serve_session AS known (principal, name, epoch, repo, created_at, last_at)
     VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (principal, name, epoch) DO UPDATE SET repo = excluded.repo, last_at = excluded.last_at
     WHERE known.turns = 0 RETURNING ${COLUMNS}`,
    ...[principal, packName(session), epoch, repoName === undefined ? null : JSON.stringify(repoName), at],
  )
  // Another one was begun a moment ago, and has a turn already.
  return row === undefined ? beginSession(sql, principal, beginning) : fromRow(row)
}

/** All conversations with the number of their messages, in the order in which they were begun. */
export async function listSessions(
  sql: Sql,
  principal: string,
): Promise<(ConversationRecord & { readonly messages: number })[]> {
  const query = `SELECT ${COLUMNS} FROM serve_session WHERE principal = $1 ORDER BY no`
  const rows = await sql.all<SessionRow>(query, principal)
  return rows.map((row) => ({ ...fromRow(row), messages: row.messages }))
}

/** Faults of conversations that have not all that they count. */
export async function findMiscounted(sql: Sql, principal: string): Promise<StoreFault[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT name FROM serve_session AS s WHERE principal = $1
       AND (messages <> (SELECT count(*) FROM serve_message WHERE session = s.no)
         OR turns <> (SELECT count(*) FROM serve_turn WHERE session = s.no))`,
    principal,
  )
  return rows.map(({ name }) => miscount(unpackName(name)))
}

/** Reads a conversation for a writer. All other writers wait until the end of the transaction. */
export async function lockSession(
  sql: Sql,
  no: number,
): Promise<{ readonly session: string; readonly turns: number; readonly messages: number } | undefined> {
  const query = 'SELECT name AS session, turns, messages FROM serve_session WHERE no = $1 FOR NO KEY UPDATE'
  const row = await sql.get<Pick<SessionRow, 'session' | 'turns' | 'messages'>>(query, no)
  return row && { ...row, session: unpackName(row.session) }
}

function fromRow(row: SessionRow): ConversationRecord {
  return toRecord({ ...row, session: unpackName(row.session) })
}
