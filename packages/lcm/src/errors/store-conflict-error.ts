import { StoreError } from './store-error.ts'

/** Another writer changed the session first. Nothing was written; read the head again. Code `STORE_CONFLICT`. */
export class StoreConflictError extends StoreError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('STORE_CONFLICT', message, options)
  }
}
