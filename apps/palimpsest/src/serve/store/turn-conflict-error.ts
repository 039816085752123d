import { markErrors, PalimpsestError } from '@palimpsest/core'

/** Another worker has gone on with the session: a turn was not stored. `TURN_CONFLICT`. */
export class TurnConflictError extends PalimpsestError {
  static override readonly isInstance = markErrors<TurnConflictError>(TurnConflictError, 'app.turn-conflict')

  constructor(reason: string) {
    super('TURN_CONFLICT', `the turn was not kept: ${reason}`)
  }
}
