import { abortable } from '@palimpsest/core'
import type { SessionHold, SessionHolds } from '@palimpsest/gateway'
import { ServiceFault } from '../http/service-fault.ts'
import { sessionHoldName } from '../store/session-hold-name.ts'

/** How long an answer waits for a hold to be given back, in milliseconds: others may have the session then at once. */
const RELEASE_LIMIT = 250

/** Lets one worker at a time to a session. */
export interface SessionTurnstile {
  /**
   * Does work while no other worker has the session. Rejects with `signal.reason` when that aborts first.
   *
   * @throws ServiceFault 503 `session-busy` when another worker, or the database, does not come to an end.
   */
  pass<T>(session: string, signal: AbortSignal, work: (hold: SessionHold) => Promise<T>): Promise<T>
  /** The same without waiting; undefined when another worker has the session. */
  tryPass<T>(
    session: string,
    work: (hold: SessionHold) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined>
}

/** `limit`: milliseconds that a call waits for another worker. */
export function createSessionTurnstile(holds: SessionHolds, limit: number): SessionTurnstile {
  const under = async <T>(hold: SessionHold, work: (hold: SessionHold) => Promise<T>): Promise<T> => {
    try {
      return await work(hold)
    } finally {
      await abortable(hold.release(), AbortSignal.timeout(RELEASE_LIMIT)).catch(() => {})
    }
  }

  return {
    async pass(session, signal, work) {
      const waited = AbortSignal.timeout(limit)
      const either = AbortSignal.any([signal, waited])
      const hold = await holds.take(sessionHoldName(session), either).catch((error: unknown) => {
        throw waited.aborted && !signal.aborted ? busyFault(session) : error
      })
      return under(hold, work)
    },
    async tryPass(session, work) {
      const hold = await holds.tryTake(sessionHoldName(session))
      return hold && { result: await under(hold, work) }
    },
  }
}

function busyFault(session: string): ServiceFault {
  return new ServiceFault(
    503,
    'session-busy',
    `another worker of this service is at work on the session "${session}", or the database does not answer; try again`,
    { retryAfter: 5 },
  )
}
