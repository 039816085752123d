import { errorText } from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'

/**
 * The value of a read; undefined, and reported, when what is stored is at fault. An unreadable store is no fault of
 * one row.
 */
export async function readOrReport<T>(
  read: () => Promise<T>,
  report: (reason: string) => void,
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (StoreError.isInstance(error) && OF_THE_STORE.has(error.code)) throw error
    report(errorText(error))
    return undefined
  }
}

const OF_THE_STORE: ReadonlySet<string> = new Set([
  'STORE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_CLOSED',
  'STORE_TOO_NEW',
])
