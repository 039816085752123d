import { PalimpsestError } from './palimpsest-error.ts'

/** An option or a configuration key is unknown or out of range. Code `INVALID_OPTION`. */
export class InvalidOptionError extends PalimpsestError {
  /** Where it stands, such as `compression.threshold`. */
  readonly path: string

  constructor(path: string, message: string, options?: { cause?: unknown }) {
    super('INVALID_OPTION', message, options)
    this.path = path
  }

  static override isInstance(value: unknown): value is InvalidOptionError {
    return PalimpsestError.isInstance(value) && value.code === 'INVALID_OPTION'
  }
}
