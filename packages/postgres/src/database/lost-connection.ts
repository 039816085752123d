import { DatabaseError } from 'pg'

/** The connection broke during use, so the server may or may not have executed the statement. */
export class LostConnection extends Error {
  constructor(cause: unknown) {
    super('the connection to PostgreSQL was lost', { cause })
  }
}

export class NoConnection extends Error {
  constructor(cause: unknown) {
    super('there is no connection to PostgreSQL', { cause })
  }
}

/**
 * SQLSTATEs that end the connection: class 08, a server shutdown (57P01 to 57P03, 57P05), and an idle transaction
 * (25P03, 25P04).
 */
const ENDING = /^(08...|57P0[1235]|25P0[34])$/

/** Errors that do not come from the server come from the connection. */
export function asLostConnection(error: unknown): unknown {
  if (error instanceof DatabaseError && !ENDING.test(error.code ?? '')) return error
  return new LostConnection(error)
}

/** `pg`'s message for a broken connection; it has no code. */
const TERMINATED = 'Connection terminated unexpectedly'

/** `pg`'s message if no connection was free or opened in time; it has no code. */
const TOO_LATE = 'timeout exceeded when trying to connect'

export function waitedInVain({ cause }: NoConnection): boolean {
  return cause instanceof Error && cause.message === TOO_LATE
}

export function brokeEarly({ cause }: NoConnection): boolean {
  if (cause instanceof DatabaseError) return ENDING.test(cause.code ?? '')
  const { code, message } = cause as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'EPIPE' || message === TERMINATED
}
