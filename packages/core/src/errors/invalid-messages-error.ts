import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/** A list of messages breaks a law and cannot be repaired. Code `INVALID_MESSAGES`. */
export class InvalidMessagesError extends PalimpsestError {
  static override readonly isInstance = markErrors<InvalidMessagesError>(
    InvalidMessagesError,
    'core.invalid-messages',
  )

  constructor(message: string, options?: { cause?: unknown }) {
    super('INVALID_MESSAGES', message, options)
  }
}
