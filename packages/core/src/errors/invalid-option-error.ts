import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/** An option or a configuration key is unknown or out of range. Code `INVALID_OPTION`. */
export class InvalidOptionError extends PalimpsestError {
  static override readonly isInstance = markErrors<InvalidOptionError>(
    InvalidOptionError,
    'core.invalid-option',
  )

  /** Where it stands, such as `compression.threshold`. */
  readonly path: string

  constructor(path: string, message: string, options?: { cause?: unknown }) {
    super('INVALID_OPTION', message, options)
    this.path = path
  }
}
