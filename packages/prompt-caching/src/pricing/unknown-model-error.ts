import { markErrors, PalimpsestError } from '@palimpsest/core'

/** There are no prices for a model. Code `UNKNOWN_MODEL`. */
export class UnknownModelError extends PalimpsestError {
  static override readonly isInstance = markErrors<UnknownModelError>(
    UnknownModelError,
    'prompt-caching.unknown-model',
  )

  readonly model: string
  /** Known models with a similar name, the nearest first. May be empty. */
  readonly nearest: readonly string[]

  constructor(model: string, nearest: readonly string[], message: string) {
    super('UNKNOWN_MODEL', message)
    this.model = model
    this.nearest = nearest
  }
}
