import { PalimpsestError } from './palimpsest-error.ts'

/** The prompt does not fit, and compacting harder did not help. Code `CONTEXT_OVERFLOW`. */
export class ContextOverflowError extends PalimpsestError {
  /** What the prompt costs, in tokens. */
  readonly tokens: number
  /** What fits, in tokens. */
  readonly limit: number

  constructor(tokens: number, limit: number, message: string, options?: { cause?: unknown }) {
    super('CONTEXT_OVERFLOW', message, options)
    this.tokens = tokens
    this.limit = limit
  }

  static override isInstance(value: unknown): value is ContextOverflowError {
    return PalimpsestError.isInstance(value) && value.code === 'CONTEXT_OVERFLOW'
  }
}
