import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/** No engine has the name that was chosen. Code `UNKNOWN_ENGINE`. */
export class UnknownEngineError extends PalimpsestError {
  static override readonly isInstance = markErrors<UnknownEngineError>(
    UnknownEngineError,
    'core.unknown-engine',
  )

  readonly engine: string
  /** The names of the engines that could be used instead. */
  readonly available: readonly string[]

  constructor(engine: string, available: readonly string[], message: string) {
    super('UNKNOWN_ENGINE', message)
    this.engine = engine
    this.available = available
  }
}
