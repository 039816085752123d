import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { IN_MEMORY, type OpenMode, openDatabase } from './open-database.ts'
import { inTransaction, type Sql } from './sql.ts'
import { isBusy, isFileFault, toStoreError } from './sqlite-error.ts'
import type { StoreFormat } from './store-format.ts'

/** The time that a call waits for others that hold the file, in milliseconds. */
const BUSY_LIMIT = 30_000
/** The first and the longest pause between two tries, in milliseconds. */
const FIRST_PAUSE = 2
const LONGEST_PAUSE = 50

/** Access to one file. Each call is one transaction, from its first statement to its last without a pause. */
export interface Connection {
  readonly path: string
  read<T>(work: (sql: Sql) => T): Promise<T>
  write<T>(work: (sql: Sql) => T): Promise<T>
  /** Outside of a transaction. */
  direct<T>(work: (sql: Sql) => T): Promise<T>
  close(): void
}

export interface ConnectionOptions {
  /**
   * The file, which the first call opens, and the next one when that failed. `:memory:` keeps everything in the process until
   * the connection is closed.
   */
  readonly path: string
  readonly mode: OpenMode
  readonly format: StoreFormat
}

/** Access to a file of a format. Calls reject with the errors of the format. */
export function createConnection({ path, mode, format }: ConnectionOptions): Connection {
  const file = path === IN_MEMORY ? path : resolve(path)
  let opened: Sql | undefined
  let closed = false
  /** A reader leaves the file as it is. */
  let hasWritten = false

  const open = (): Sql => {
    if (closed) throw format.error('STORE_CLOSED', `the store ${file} was closed; open it again`)
    opened ??= openDatabase(file, mode, format)
    return opened
  }

  const discard = (): void => {
    opened?.close()
    opened = undefined
  }

  /** Tries again while others hold the file, and lets the process do other things meanwhile. */
  const patiently = async <T>(work: (sql: Sql) => T): Promise<T> => {
    const end = performance.now() + BUSY_LIMIT
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        return work(open())
      } catch (error) {
        if (isFileFault(error)) discard()
        if (!isBusy(error) || performance.now() >= end) throw toStoreError(error, file, format)
      }
      await wait(pause)
    }
  }

  return {
    path: file,
    read: (work) => patiently((sql) => inTransaction(sql, 'BEGIN', work)),
    async write(work) {
      if (mode === 'read')
        throw format.error('STORE_UNAVAILABLE', `${file} is open for reading only; open it for writing`)
      hasWritten = true
      return patiently((sql) => inTransaction(sql, 'BEGIN IMMEDIATE', work))
    },
    direct: patiently,
    close() {
      closed = true
      if (hasWritten) giveBack(opened)
      discard()
    },
  }
}

/** Pages that a close gives back at most: the process waits for it. */
const PAGES_GIVEN_BACK = 2_000
/** Free pages that are worth a write; fewer are used up by the next messages. */
const FREE_PAGES = 8

/** Indexes leave pages behind when they merge. Who uses the file at that moment needs it more: then the next close. */
function giveBack(sql: Sql | undefined): void {
  try {
    const free = sql?.get<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0
    if (free > FREE_PAGES) sql?.exec(`PRAGMA incremental_vacuum(${PAGES_GIVEN_BACK})`)
  } catch {}
}
