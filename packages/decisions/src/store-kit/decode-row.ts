import { StoreError } from '../errors/store-error.ts'

/** Reads what a store has written. @throws StoreError `STORE_CORRUPT` */
export function decodeRow<T>(json: string): T {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new StoreError('STORE_CORRUPT', 'a row of the store is damaged; take an older copy', { cause })
  }
}
