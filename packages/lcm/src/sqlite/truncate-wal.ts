import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'

/** The time to wait for readers of an old state, in milliseconds, and the pause between two tries. */
const LIMIT = 30_000
const PAUSE = 20

/**
 * Moves the write-ahead log into the file and empties it: what was deleted must not live on in it.
 *
 * @throws StoreError `STORE_BUSY` when others go on reading an old state.
 */
export async function truncateWal(connection: Connection): Promise<void> {
  for (const end = performance.now() + LIMIT; ; await wait(PAUSE)) {
    const result = await connection.direct((sql) =>
      sql.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)'),
    )
    if (result?.busy !== 1) return
    if (performance.now() >= end)
      throw new StoreError(
        'STORE_BUSY',
        `what was forgotten is still in the log of ${connection.path}, because others read it; forget it again later`,
      )
  }
}
