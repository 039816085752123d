import { StoreError } from '../errors/store-error.ts'

/** The highest number that a message, a summary or a version of a session can have: 31 bits, in every store. */
export const LAST_NUMBER = 2 ** 31 - 1

/** @throws StoreError `STORE_UNAVAILABLE` when a session has no room for more rows. */
export function checkNextNumber(next: number): void {
  if (next > LAST_NUMBER)
    throw new StoreError('STORE_UNAVAILABLE', `the session holds ${LAST_NUMBER} rows; begin another session`)
}

/** A limit as a database takes one: a whole number that is not negative. */
export function rowLimit(limit: number): number {
  return limit > 0 ? Math.ceil(Math.min(limit, LAST_NUMBER)) : 0
}
