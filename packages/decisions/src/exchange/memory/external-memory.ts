import { markErrors, PalimpsestError } from '@palimpsest/core'
/** One decision as a memory keeps it. */
export interface Memory {
  /** The decision's id: what is published again under the same id takes the place of what was there. */
  readonly id: string
  /** The decision with its reason, as a text that stands by itself. */
  readonly text: string
  /** The session that it was said in last. */
  readonly session: string
}

/** A find of a memory: its own id where the decision's is not known, and no session where that is not known. */
export interface FoundMemory {
  readonly id: string
  readonly text: string
  readonly session?: string
}

/**
 * A service that keeps decisions beyond the store of one machine. An engine publishes after a turn, in the
 * background, and searches at the start of one; it goes on without the memory when that fails, with a warning.
 */
export interface ExternalMemory {
  /** For people, in warnings and above what is recalled. */
  readonly name: string
  /**
   * Keeps decisions. Idempotent by id.
   *
   * @throws MemoryError, or the signal's reason when it was aborted.
   */
  publish(memories: readonly Memory[], options?: { readonly signal?: AbortSignal }): Promise<void>
  /**
   * The memories that match a query, the best first; at most `limit`.
   *
   * @throws MemoryError, or the signal's reason when it was aborted.
   */
  search(
    query: string,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<readonly FoundMemory[]>
}

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
