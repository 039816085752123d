import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/** The engine that was chosen exists and cannot be used. Code `ENGINE_UNAVAILABLE`. */
export class EngineUnavailableError extends PalimpsestError {
  static override readonly isInstance = markErrors<EngineUnavailableError>(
    EngineUnavailableError,
    'core.engine-unavailable',
  )

  readonly engine: string
  /** Why not: one line that says what to do. */
  readonly reason: string

  constructor(engine: string, reason: string, options?: { cause?: unknown }) {
    super('ENGINE_UNAVAILABLE', `the context engine "${engine}" cannot be used: ${reason}`, options)
    this.engine = engine
    this.reason = reason
  }
}
