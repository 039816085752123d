import { StoreError } from '../errors/store-error.ts'

/** An export that cannot be taken. `reason` says what is wrong, and where. */
export function invalidDump(reason: string, cause?: unknown): StoreError {
  return new StoreError('INVALID_DUMP', `the export cannot be read: ${reason}; take another copy of it`, {
    cause,
  })
}
