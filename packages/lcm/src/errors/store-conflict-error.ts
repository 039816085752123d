import { markErrors } from '@palimpsest/core'
import { StoreError } from './store-error.ts'

/** Another writer changed the session first. Nothing was written; read the head again. Code `STORE_CONFLICT`. */
export class StoreConflictError extends StoreError {
  static override readonly isInstance = markErrors<StoreConflictError>(
    StoreConflictError,
    'lcm.store-conflict',
  )

  constructor(message: string, options?: { cause?: unknown }) {
    super('STORE_CONFLICT', message, options)
  }
}
