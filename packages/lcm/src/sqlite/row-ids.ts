import { StoreError } from '../errors/store-error.ts'

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

export function sessionOf(id: number): number {
  return Math.floor(id / ROWS_PER_SESSION)
}

/** @throws StoreError `STORE_UNAVAILABLE` when a store has no room for a session of that number. */
export function checkSessionNumber(session: number): void {
  if (session >= MAX_SESSIONS)
    throw new StoreError('STORE_UNAVAILABLE', `the store holds ${MAX_SESSIONS} sessions; begin another store`)
}
