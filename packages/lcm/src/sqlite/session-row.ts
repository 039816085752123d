import { insertRow, type Sql } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import type { SessionRef } from '../store/lcm-store.ts'
import { packName, type SessionColumns, sessionColumns, stateColumns } from '../store-kit/row-columns.ts'
import type { StoredSession } from '../store-kit/stored-session.ts'

/** A session as its table holds it. */
export interface SessionRow extends SessionColumns {
  readonly no: number
}

/**
 * The rows of a session are one run of row ids: the session's number in front, the number of the message or summary
 * behind. A bound on the row id is a bound on the session, and the newest row has the highest id. Such ids are whole
 * numbers that JavaScript holds exactly as long as there are fewer than 2 ** 21 sessions.
 */
export const ROWS_PER_SESSION = 2 ** 32
const MAX_SESSIONS = 2 ** 21

/** The row id of number 0 of a session. */
export function baseOf(session: number): number {
  return session * ROWS_PER_SESSION
}

/** The number of a row in its session. */
export function numberOf(id: number): number {
  return id % ROWS_PER_SESSION
}

/** The row of a session by its name; undefined when there is none. */
export function findSession(sql: Sql, { principal, key }: Required<SessionRef>): SessionRow | undefined {
  const query = 'SELECT * FROM session WHERE principal = ? AND key = ?'
  return sql.get<SessionRow>(query, packName(principal), packName(key))
}

/** The row of a session that must be there. @throws StoreError `STORE_CORRUPT` */
export function readSession(sql: Sql, no: number): SessionRow {
  const row = sql.get<SessionRow>('SELECT * FROM session WHERE no = ?', no)
  if (row === undefined) throw new StoreError('STORE_CORRUPT', `session ${no} is missing; import it again`)
  return row
}

/** Writes a new session. Returns its number. @throws StoreError `STORE_UNAVAILABLE` when there are too many. */
export function insertSession(sql: Sql, session: StoredSession): number {
  const { no } = sql.get<{ no: number }>('SELECT ifnull(max(no), 0) + 1 AS no FROM session') ?? { no: 1 }
  if (no >= MAX_SESSIONS)
    throw new StoreError('STORE_UNAVAILABLE', `the store holds ${MAX_SESSIONS} sessions; begin another store`)
  insertRow(sql, 'session', { no, ...sessionColumns(session) })
  return no
}

/** Writes a session that is there as it is to be. */
export function updateSession(sql: Sql, no: number, session: StoredSession): void {
  const columns = stateColumns(session)
  const changes = Object.keys(columns).map((name) => `${name} = ?`)
  sql.run(`UPDATE session SET ${changes.join(', ')} WHERE no = ?`, ...Object.values(columns), no)
}
