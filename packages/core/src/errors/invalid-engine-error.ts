import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/** An engine that is none, or speaks another version of the contract. Code `INVALID_ENGINE`. */
export class InvalidEngineError extends PalimpsestError {
  static override readonly isInstance = markErrors<InvalidEngineError>(
    InvalidEngineError,
    'core.invalid-engine',
  )

  constructor(message: string, options?: { cause?: unknown }) {
    super('INVALID_ENGINE', message, options)
  }
}
