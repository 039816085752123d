import { DatabaseSync } from 'node:sqlite'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { type RatioRow, timeRow } from '../speed/ratio-row.ts'
import { timePair } from '../speed/time.ts'
import { SESSION } from './sessions.ts'

const RUNS = 25
export const OPEN = 'open the store, find the state of its session'

/**
 * Opening a store and finding the state of its session, with a fresh handle in a process that is warm: what starts
 * Node is not measured. Both sides close the file again.
 */
export async function measureOpen({
  path,
  messages,
  effort,
}: {
  readonly path: string
  readonly messages: number
  /** Share of the usual repetitions. */
  readonly effort: number
}): Promise<RatioRow[]> {
  const bare = {
    prepare: () => undefined,
    run() {
      const database = new DatabaseSync(path)
      database.prepare('SELECT count(*) FROM sqlite_schema').get()
      database.close()
    },
  }
  const row = { operation: OPEN, messages, against: 'opening the bare file', target: 5 }
  return [timeRow(row, await timePair(openSession(path), bare, Math.ceil(RUNS * effort), 1))]
}

/** Opens a store, reads the head and the frontier of its session, and closes it. */
export function openSession(path: string) {
  return {
    prepare: () => undefined,
    async run() {
      const store = createSqliteStore({ path })
      const session = await store.find(SESSION)
      await session?.head()
      await session?.frontier()
      await store.close()
    },
  }
}
