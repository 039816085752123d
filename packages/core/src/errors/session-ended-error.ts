import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/** The session has ended; create a new one. Code `SESSION_ENDED`. */
export class SessionEndedError extends PalimpsestError {
  static override readonly isInstance = markErrors<SessionEndedError>(SessionEndedError, 'core.session-ended')

  constructor(method: string) {
    super('SESSION_ENDED', `${method}() was called after end(); create a new session`)
  }
}
