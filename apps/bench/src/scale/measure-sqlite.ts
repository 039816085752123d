import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { loadSessions } from './load-sessions.ts'
import type { SqliteFigures } from './scale-report.ts'
import type { ScaleWorkload } from './scale-workload.ts'

/** The same sessions in a file of SQLite, written by one process. */
export async function measureSqlite(workload: ScaleWorkload, folder: string): Promise<SqliteFigures> {
  const path = join(folder, 'scale.sqlite')
  const store = createSqliteStore({ path })
  const start = performance.now()
  const messages = await loadSessions(store, workload, 0, workload.sessions)
  // Closing moves the log into the file.
  await store.close()
  const writing = performance.now() - start
  return { messages, bytes: (await stat(path)).size, writing }
}
