import { findServer } from '../packages/postgres/test/support/find-server.ts'
import { startCluster } from '../packages/postgres/test/support/start-cluster.ts'

/** Whether this machine has the programs of a PostgreSQL server. */
export function hasDatabase(): boolean {
  return findServer() !== undefined
}

/** Does work with an empty database, which is removed behind it. `url`: its address. */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const bin = findServer()
  if (bin === undefined) throw new Error('no programs of a PostgreSQL server are on this machine')
  const cluster = await startCluster(bin)
  try {
    return await work(cluster.url)
  } finally {
    await cluster.remove()
  }
}
