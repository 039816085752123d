import { MAX_TRIES, pauseAfter, type RetryTools } from './backoff.ts'
import type { DatabaseFormat } from './database-format.ts'
import { brokeEarly, LostConnection, NoConnection, waitedInVain } from './lost-connection.ts'
import { toStoreError, unknownOutcome } from './to-store-error.ts'
import { isContention, TransactionFailure } from './transaction.ts'

/** A transaction that may be tried more than once. */
export interface Attempts<T> {
  run(): Promise<T>
  /**
   * The result of a run whose commit got no answer; undefined when it did not take place, and never will. Absent when
   * a second run does no harm.
   */
  settle?(): Promise<{ readonly result: T } | undefined>
  /** Default `MAX_TRIES`. */
  readonly maxTries?: number
}

/**
 * Tries a transaction until it is done. Others may get in its way, and its connection may break; a server that cannot
 * be reached at all is not waited for, and one that does not answer only once. Rejects with errors of the format.
 */
export async function retryTransaction<T>(
  { run, settle, maxTries = MAX_TRIES }: Attempts<T>,
  { format, location, tools }: { format: DatabaseFormat; location: string; tools: RetryTools },
): Promise<T> {
  /** Why it is not known whether a commit took place. */
  let open: unknown
  for (let tries = 1; ; tries++) {
    try {
      const settled = open === undefined ? undefined : await settle?.()
      if (settled !== undefined) return settled.result
      open = undefined
      return await run()
    } catch (failure) {
      const { committing, cause } = failure instanceof TransactionFailure ? failure : notBegun(failure)
      if (committing) open = cause
      const passes =
        cause instanceof LostConnection ||
        isContention(cause) ||
        (cause instanceof NoConnection && (brokeEarly(cause) || (tries > 1 && !waitedInVain(cause))))
      if (!passes || tries >= maxTries)
        throw open === undefined
          ? toStoreError(cause, location, format)
          : unknownOutcome(open, location, format)
      await tools.wait(pauseAfter(tries, tools.random))
    }
  }
}

/** A failure from before there was a transaction. */
function notBegun(cause: unknown): Pick<TransactionFailure, 'committing' | 'cause'> {
  return { committing: false, cause }
}
