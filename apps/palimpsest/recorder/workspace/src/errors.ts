/** What can go wrong, as a stable code that clients may compare. */
export type ErrorCode =
  | 'bad-amount'
  | 'bad-config'
  | 'bad-csv'
  | 'bad-entry'
  | 'bad-request'
  | 'not-found'
  | 'already-reversed'
  | 'unknown-office'

export class LedgerError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.name = 'LedgerError'
    this.code = code
  }
}
