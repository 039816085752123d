import type { DatabaseSync } from 'node:sqlite'

/** A fault of a file, see the `StoreError` of the package that writes it. */
export type StoreFileErrorCode =
  | 'STORE_UNAVAILABLE'
  | 'STORE_BUSY'
  | 'STORE_CORRUPT'
  | 'STORE_TOO_NEW'
  | 'NOT_A_STORE'
  | 'STORE_CLOSED'

/** One kind of SQLite file, and who writes it. */
export interface StoreFormat {
  /** The kind of file, for people, such as `a store of LCM`. */
  readonly title: string
  /** The package that has to be updated for files of newer versions. */
  readonly packageName: string
  /** Marks its files: 32 bits, such as four letters in ASCII. */
  readonly applicationId: number
  /**
   * The steps from an empty file to the newest version: a file of version n has the first n behind it. A step that was
   * published is never changed.
   */
  readonly migrations: readonly string[]
  /** The advice for a file that is damaged or something else. Default: another path, or an older copy. */
  readonly remedy?: string
  /** Adds the functions that its statements call. */
  readonly addFunctions?: (database: DatabaseSync) => void
  /** Makes the error that a store rejects with. */
  readonly error: (code: StoreFileErrorCode, message: string, options?: { cause?: unknown }) => Error
}
