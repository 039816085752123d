const marker = Symbol.for('palimpsest.error')

/** Base of all errors of Palimpsest. `code` is stable and for programs; `message` says what to do. */
export class PalimpsestError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /** True for errors of Palimpsest from any installed copy of it. */
  static isInstance(value: unknown): value is PalimpsestError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true
  }
}
