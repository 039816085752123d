import { insertRow, type Sql } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import type { SessionRef } from '../store/lcm-store.ts'
import { originColumns, type SessionColumns, stateColumns } from '../store-kit/row-columns.ts'
import type { StoredSession } from '../store-kit/stored-session.ts'
import { packName } from '../store-kit/stored-values.ts'
import { checkSessionNumber } from './row-ids.ts'

/** A session as a query of `SESSIONS` gives it. */
export interface SessionRow extends SessionColumns {
  readonly no: number
  readonly parent: number | null
  readonly parent_key: string | null
}

export const SESSIONS = `SELECT session.*, (SELECT key FROM session AS origin WHERE origin.no = session.parent)
  AS parent_key FROM session`

/** The row of a session by its name; undefined when there is none. */
export function findSession(sql: Sql, { principal, key }: Required<SessionRef>): SessionRow | undefined {
  const query = `${SESSIONS} WHERE principal = ? AND key = ?`
  return sql.get<SessionRow>(query, packName(principal), packName(key))
}

/** The row of a session that must be there. @throws StoreError `STORE_CORRUPT` */
export function readSession(sql: Sql, no: number): SessionRow {
  const row = sql.get<SessionRow>(`${SESSIONS} WHERE no = ?`, no)
  if (row === undefined) throw new StoreError('STORE_CORRUPT', `session ${no} is missing; import it again`)
  return row
}

/** Writes a new session. `parent`: the number of the one that it was forked from. Returns its number. */
export function insertSession(sql: Sql, session: StoredSession, parent: number | null): number {
  const { no } = sql.get<{ no: number }>('SELECT ifnull(max(no), 0) + 1 AS no FROM session') ?? { no: 1 }
  checkSessionNumber(no)
  insertRow(sql, 'session', { no, parent, ...originColumns(session), ...stateColumns(session) })
  return no
}

/** Writes a session that is there as it is to be. */
export function updateSession(sql: Sql, no: number, session: StoredSession): void {
  const columns = stateColumns(session)
  const changes = Object.keys(columns).map((name) => `${name} = ?`)
  sql.run(`UPDATE session SET ${changes.join(', ')} WHERE no = ?`, ...Object.values(columns), no)
}
