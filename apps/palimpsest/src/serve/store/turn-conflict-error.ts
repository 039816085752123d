import { PalimpsestError } from '@palimpsest/core'

/** Somebody else has gone on with the session: a turn was not stored. `TURN_CONFLICT`. */
export class TurnConflictError extends PalimpsestError {
  constructor(reason: string) {
    super('TURN_CONFLICT', `the turn was not kept: ${reason}`)
  }
}
