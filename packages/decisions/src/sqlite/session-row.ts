import type { Sql } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import type { DecisionSessionInfo, DecisionSessionRef } from '../store/decision-store.ts'
import { decodeRow } from '../store-kit/create-session.ts'

/** The number of a principal; undefined when nothing is theirs. */
export function findPrincipal(sql: Sql, name: string): number | undefined {
  return sql.get<{ no: number }>('SELECT no FROM principal WHERE name = ?', JSON.stringify(name))?.no
}

/** The number of a session; undefined when there is none. */
export function findSession(sql: Sql, { principal, key }: Required<DecisionSessionRef>): number | undefined {
  const owner = findPrincipal(sql, principal)
  if (owner === undefined) return undefined
  const query = 'SELECT no FROM session WHERE principal = ? AND key = ?'
  return sql.get<{ no: number }>(query, owner, JSON.stringify(key))?.no
}

/** Makes a session that is not there yet. */
export function insertSession(
  sql: Sql,
  { principal, key }: Required<DecisionSessionRef>,
  at: number,
): number {
  sql.run('INSERT INTO principal (name) VALUES (?) ON CONFLICT DO NOTHING', JSON.stringify(principal))
  const row = sql.get<{ no: number }>(
    'INSERT INTO session (principal, key, created_at, last_at) VALUES (?, ?, ?, ?) RETURNING no',
    ...[findPrincipal(sql, principal) ?? null, JSON.stringify(key), at, at],
  )
  if (row === undefined) throw new StoreError('STORE_CORRUPT', `the session ${key} could not be made`)
  return row.no
}

export interface SessionRow {
  readonly principal: number
  readonly messages: number
  readonly summary: string | null
}

/** @throws StoreError `STORE_CORRUPT` when the row is gone: sessions are never deleted. */
export function readSession(sql: Sql, no: number): SessionRow {
  const row = sql.get<SessionRow>('SELECT principal, messages, summary FROM session WHERE no = ?', no)
  if (row === undefined)
    throw new StoreError('STORE_CORRUPT', 'a session is missing in the store; take an older copy')
  return row
}

/** Sessions, the one written to last first. */
export function listSessions(sql: Sql, principal?: string): DecisionSessionInfo[] {
  type Row = DecisionSessionInfo
  const rows = sql.all<Row>(
    `SELECT principal.name AS principal, key, messages, events, created_at AS createdAt, last_at AS lastAt,
       (SELECT count(*) FROM job WHERE job.session = session.no AND finished = 0) AS pendingJobs
     FROM session JOIN principal ON principal.no = session.principal
     WHERE ?1 IS NULL OR principal.name = ?1 ORDER BY last_at DESC, session.no DESC`,
    principal === undefined ? null : JSON.stringify(principal),
  )
  return rows.map((row) => ({ ...row, principal: decodeRow(row.principal), key: decodeRow(row.key) }))
}
