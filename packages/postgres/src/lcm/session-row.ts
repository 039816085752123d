import { InvalidOptionError } from '@palimpsest/core'
import { type SessionRef, StoreError } from '@palimpsest/lcm'
import {
  packName,
  type SessionColumns,
  type StoredSession,
  sessionColumns,
  stateColumns,
  toStoredSession,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'

export interface SessionRow extends SessionColumns {
  readonly no: number
}

/** A session that a transaction writes to. */
export interface LockedSession extends Pick<SessionRow, 'no' | 'principal'> {
  readonly session: StoredSession
  /** The server's time in milliseconds since the epoch: one clock for all workers. */
  readonly now: number
}

/** The size of an index entry, in bytes: a page of PostgreSQL holds three. */
const MAX_NAMES = 2_600

/** The row of a session by its name; undefined when there is none. */
export async function findSession(
  sql: Sql,
  { principal, key }: Required<SessionRef>,
): Promise<SessionRow | undefined> {
  const query = 'SELECT * FROM lcm_session WHERE principal = $1 AND key = $2'
  return sql.get<SessionRow>(query, packName(principal), packName(key))
}

/** The row of a session that must be there. @throws StoreError `STORE_CORRUPT` */
export async function readSession(sql: Sql, no: number): Promise<SessionRow> {
  return isThere(await sql.get<SessionRow>('SELECT * FROM lcm_session WHERE no = $1', no), no)
}

/** The same for who is going to write: all other writers of the session wait until the end of the transaction. */
export async function lockSession(sql: Sql, no: number): Promise<LockedSession> {
  // Without values, so that it goes along with the beginning of the transaction.
  const query = `SELECT *, lcm_clock() AS now FROM lcm_session WHERE no = ${no} FOR NO KEY UPDATE`
  const row = isThere(await sql.get<SessionRow & { readonly now: number }>(query), no)
  return { no, principal: row.principal, session: toStoredSession(row), now: row.now }
}

function isThere<Row>(row: Row | undefined, no: number): Row {
  if (row === undefined) throw new StoreError('STORE_CORRUPT', `session ${no} is missing; import it again`)
  return row
}

/**
 * Writes a new session. Undefined when the name is taken: another worker may have made it a moment ago.
 *
 * @throws InvalidOptionError `key` for a name that is too long for the index.
 */
export async function insertSession(sql: Sql, session: StoredSession): Promise<SessionRow | undefined> {
  const columns = sessionColumns(session)
  if (Buffer.byteLength(columns.principal + columns.key) > MAX_NAMES)
    throw new InvalidOptionError(
      'key',
      `the id of a session and its principal may be ${MAX_NAMES} bytes long together; choose a shorter one`,
    )
  const names = Object.keys(columns)
  return sql.get<SessionRow>(
    `INSERT INTO lcm_session (${names}) VALUES (${names.map((_, index) => `$${index + 1}`)})
     ON CONFLICT (principal, key) DO NOTHING RETURNING *`,
    ...Object.values(columns),
  )
}

/** Writes a session that is there as it is to be: with the commit. `session` is locked. */
export function updateSession(sql: Sql, no: number, session: StoredSession): void {
  const columns = stateColumns(session)
  const changes = Object.keys(columns).map((name, index) => `${name} = $${index + 2}`)
  sql.later(`UPDATE lcm_session SET ${changes} WHERE no = $1`, no, ...Object.values(columns))
}
