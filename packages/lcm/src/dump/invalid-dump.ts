import { StoreError } from '../errors/store-error.ts'

/** An export that cannot be taken. `reason` says what is wrong, and where. */
export function invalidDump(reason: string, cause?: unknown): StoreError {
  return new StoreError('INVALID_DUMP', `the export cannot be read: ${reason}; take another copy of it`, {
    cause,
  })
}

/** Does work whose refusal of a summary means that the export is damaged. @throws StoreError `INVALID_DUMP` */
export function asInvalidDump<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (StoreError.isInstance(error) && error.code === 'INVALID_FRONTIER')
      throw invalidDump(error.message, error)
    throw error
  }
}
