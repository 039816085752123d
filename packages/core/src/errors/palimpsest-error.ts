/** Base of all errors of Palimpsest. `code` is stable and for programs; `message` says what to do. */
export class PalimpsestError extends Error {
  /** True for an error of this class or of one below it, from any installed copy of its package. */
  static readonly isInstance = markErrors<PalimpsestError>(PalimpsestError, 'core.error')

  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/**
 * Marks the errors of a class, and returns the test for the mark. Unlike `instanceof`, the test holds for errors of another
 * installed copy of the class. A class without a mark of its own inherits `isInstance`, which is then true for errors of its parent too.
 *
 * @param name The package and the error, such as `core.disposed`; unique.
 *
 * @example
 * class QuotaError extends PalimpsestError {
 *   static override readonly isInstance = markErrors<QuotaError>(QuotaError, 'my-engine.quota')
 * }
 */
export function markErrors<E extends Error>(
  type: { readonly prototype: E },
  name: string,
): (value: unknown) => value is E {
  const mark = Symbol.for(`palimpsest.error.${name}`)
  Object.defineProperty(type.prototype, mark, { value: true })
  return (value): value is E => typeof value === 'object' && value !== null && mark in value
}
