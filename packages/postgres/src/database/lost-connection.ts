import { DatabaseError } from 'pg'

/** The connection broke while it was used: whether the server has done what it was told is not known. */
export class LostConnection extends Error {
  constructor(cause: unknown) {
    super('the connection to PostgreSQL was lost', { cause })
  }
}

/** No connection could be made, or none of the pool was free. */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    super('there is no connection to PostgreSQL', { cause })
  }
}

/**
 * Errors of the server behind which there is no connection any more: class 08 of the SQLSTATEs, a server that is shut
 * down (57P01 to 57P03, 57P05), and a transaction that was left alone for too long (25P03, 25P04).
 */
const ENDING = /^(08...|57P0[1235]|25P0[34])$/

/** An error of a statement on an open connection. What does not come from the server comes from the connection. */
export function asLostConnection(error: unknown): unknown {
  if (error instanceof DatabaseError && !ENDING.test(error.code ?? '')) return error
  return new LostConnection(error)
}

/** The message of `pg` for a broken connection; it has no code. */
const TERMINATED = 'Connection terminated unexpectedly'

/** The message of `pg` when no connection was free or made in time; it has no code. */
const TOO_LATE = 'timeout exceeded when trying to connect'

/** True when all that could be waited was waited, for a connection of the pool to be free or for the server to answer. */
export function waitedInVain({ cause }: NoConnection): boolean {
  return cause instanceof Error && cause.message === TOO_LATE
}

/** True for a connection that broke while it was made, unlike one that was refused or that there is no room for. */
export function brokeEarly({ cause }: NoConnection): boolean {
  if (cause instanceof DatabaseError) return ENDING.test(cause.code ?? '')
  const { code, message } = cause as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'EPIPE' || message === TERMINATED
}
