import { PalimpsestError } from '@palimpsest/core'
import { HOLD_TAKEN, type SessionHold, type SessionHolds } from './session-holds.ts'
import type { TurnLock } from './turn-lock.ts'

/** A conversation's place for one request: nobody else has it meanwhile, in this process and among all workers. */
export interface Seat {
  /** True when another worker may have it by now. */
  readonly isLost: boolean
  /** Resolves when others can have it. May be called more than once. */
  leave(): Promise<void>
}

export interface SeatInput {
  /** Keeps requests of this process apart. */
  readonly lock: TurnLock
  /** Keep workers apart. */
  readonly holds: SessionHolds
  /** What they know the conversation as. */
  readonly name: string
  readonly signal: AbortSignal
  /** Called when another worker has taken the seat before it is left. */
  readonly onTaken: () => void
}

/**
 * Waits for the seat.
 *
 * @throws GatewayFault 429 when too many wait; `signal.reason` on abort; errors of the holds' store.
 */
export function takeSeat(input: SeatInput): Promise<Seat> {
  const { holds, name, signal, onTaken } = input
  return inTurn(input, async (leave) => seatOf(await holds.take(name, signal), leave, onTaken))
}

/** The same when nobody has it whose client is still there; undefined when somebody has. */
export async function trySeat(input: SeatInput): Promise<Seat | undefined> {
  const { lock, holds, name, onTaken } = input
  if (lock.isBusy) return undefined
  return inTurn(input, async (leave) => {
    const hold = await holds.tryTake(name)
    if (hold !== undefined) return seatOf(hold, leave, onTaken)
    leave()
    return undefined
  })
}

async function inTurn<T>({ lock, signal }: SeatInput, take: (leave: () => void) => Promise<T>): Promise<T> {
  const leave = await lock.take(signal)
  try {
    return await take(leave)
  } catch (error) {
    leave()
    throw error
  }
}

function seatOf(hold: SessionHold, leaveLock: () => void, onTaken: () => void): Seat {
  const { signal } = hold
  const left = new AbortController()
  // What has only run out, because the database is away, may still be this worker's: its answer goes on.
  const onLost = () => {
    if (PalimpsestError.isInstance(signal.reason) && signal.reason.code === HOLD_TAKEN) onTaken()
  }
  signal.addEventListener('abort', onLost, { signal: left.signal })
  if (signal.aborted) onLost()
  return {
    get isLost() {
      return signal.aborted
    },
    async leave() {
      left.abort()
      // Before the next one of this process, which would wait for it.
      await hold.release()
      leaveLock()
    },
  }
}
