import { markErrors, PalimpsestError } from '@palimpsest/core'

/**
 * The faults of an external memory:
 * - `MEMORY_AUTH`: it refused the key; trying again does not help.
 * - `MEMORY_UNAVAILABLE`: it was not reached, is busy or failed; later.
 * - `MEMORY_TIMEOUT`: it did not answer in time; later.
 * - `MEMORY_REFUSED`: it did not take what was sent.
 * - `MEMORY_MALFORMED`: its answer is not one of that service.
 */
export type MemoryErrorCode =
  | 'MEMORY_AUTH'
  | 'MEMORY_UNAVAILABLE'
  | 'MEMORY_TIMEOUT'
  | 'MEMORY_REFUSED'
  | 'MEMORY_MALFORMED'

/** An external memory could not do what it was asked. No decision is lost: the store has them. */
export class MemoryError extends PalimpsestError {
  static override readonly isInstance = markErrors<MemoryError>(MemoryError, 'decisions.memory')

  declare readonly code: MemoryErrorCode

  constructor(code: MemoryErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options)
  }
}
