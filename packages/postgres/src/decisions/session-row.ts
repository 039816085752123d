import { type DecisionSessionInfo, type DecisionSessionRef, StoreError } from '@palimpsest/decisions'
import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { nameDigest } from './name-digest.ts'

/** A session's row. Names are packed. */
export interface SessionRow {
  readonly no: number
  /** The log that its principal's events are in. */
  readonly log: number
  readonly principal: string
  readonly messages: number
}

const COLUMNS = 'no, log, principal, messages'

/** The row of a session by its name; undefined when there is none. */
export function findSession(
  sql: Sql,
  { principal, key }: Required<DecisionSessionRef>,
): Promise<SessionRow | undefined> {
  const query = `SELECT ${COLUMNS} FROM decisions_session WHERE digest = $1`
  return sql.get<SessionRow>(query, nameDigest(principal, key))
}

/** Makes a session, unless another worker has made it a moment ago. */
export async function insertSession(
  sql: Sql,
  { principal, key }: Required<DecisionSessionRef>,
  at: number,
): Promise<void> {
  await sql.run(
    'INSERT INTO decisions_log (principal, digest) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING',
    ...[packName(principal), nameDigest(principal)],
  )
  await sql.run(
    `INSERT INTO decisions_session (log, principal, key, digest, created_at, last_at)
     SELECT no, principal, $2, $3, $4, $4 FROM decisions_log WHERE digest = $1 ON CONFLICT (digest) DO NOTHING`,
    ...[nameDigest(principal), packName(key), nameDigest(principal, key), at],
  )
}

/** @throws StoreError `STORE_CORRUPT` when the row is gone: sessions are never deleted. */
export async function readSession(sql: Sql, no: number): Promise<SessionRow> {
  return isThere(await sql.get<SessionRow>(`SELECT ${COLUMNS} FROM decisions_session WHERE no = $1`, no))
}

/** The same for who is going to write: all other writers of the session wait until the end of the transaction. */
export async function lockSession(sql: Sql, no: number): Promise<SessionRow> {
  // Without values, so that it goes along with the beginning of the transaction.
  const query = `SELECT ${COLUMNS} FROM decisions_session WHERE no = ${no} FOR NO KEY UPDATE`
  return isThere(await sql.get<SessionRow>(query))
}

function isThere(row: SessionRow | undefined): SessionRow {
  if (row === undefined)
    throw new StoreError('STORE_CORRUPT', 'a session is missing in the store; restore a backup')
  return row
}

/** Sessions, the one written to last first. */
export async function listSessions(sql: Sql, principal?: string): Promise<DecisionSessionInfo[]> {
  const rows = await sql.all<DecisionSessionInfo>(
    `SELECT principal, key, messages, events, created_at AS "createdAt", last_at AS "lastAt",
       (SELECT count(*) FROM decisions_job AS job WHERE job.session = session.no AND NOT finished) AS "pendingJobs"
     FROM decisions_session AS session
     WHERE $1::bytea IS NULL OR log = (SELECT no FROM decisions_log WHERE digest = $1)
     ORDER BY last_at DESC, no DESC`,
    principal === undefined ? null : nameDigest(principal),
  )
  return rows.map((row) => ({ ...row, principal: unpackName(row.principal), key: unpackName(row.key) }))
}
