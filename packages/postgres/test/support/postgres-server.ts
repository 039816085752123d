import { randomUUID } from 'node:crypto'
import { escapeIdentifier, Pool } from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { findServer } from './find-server.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

/** A server for the tests of one file. */
export interface PostgresServer {
  /** An address of it, with all rights. */
  readonly url: string
  /** The cluster; undefined when the server is somebody else's. */
  readonly cluster: Cluster | undefined
  /** For looking at tables from the outside. */
  readonly pool: Pool
  /** The name of a schema that nobody else uses. It is not made yet, and dropped at the end. */
  schema(): string
}

const GIVEN_URL = process.env.PALIMPSEST_TEST_POSTGRES_URL

/**
 * Tests on a real server: the one of `PALIMPSEST_TEST_POSTGRES_URL`, or one that is started for this file. Without
 * either, they are skipped, and the title says so.
 *
 * @param needs `cluster`: a server that may be killed.
 */
export function describeWithPostgres(
  title: string,
  define: (server: PostgresServer) => void,
  needs: 'server' | 'cluster' = 'server',
): void {
  const bin = GIVEN_URL !== undefined && needs === 'server' ? undefined : findServer()
  const isThere = bin !== undefined || (GIVEN_URL !== undefined && needs === 'server')
  const name = isThere ? title : `${title} (no PostgreSQL here; set PALIMPSEST_TEST_POSTGRES_URL)`
  describe.skipIf(!isThere)(name, () => define(createServer(bin)))
}

function createServer(bin: string | undefined): PostgresServer {
  const run = randomUUID().slice(0, 8)
  const schemas: string[] = []
  let cluster: Cluster | undefined
  let pool: Pool | undefined
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the server runs within tests only')
    return value
  }
  const url = () => cluster?.url ?? started(GIVEN_URL)

  beforeAll(async () => {
    if (bin !== undefined) cluster = await startCluster(bin)
    pool = new Pool({ connectionString: url(), max: 2 })
    pool.on('error', () => {})
  })
  afterAll(async () => {
    try {
      if (cluster === undefined)
        for (const name of schemas)
          await pool?.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(name)} CASCADE`)
    } finally {
      await pool?.end()
      await cluster?.remove()
    }
  })

  return {
    get url() {
      return url()
    },
    get cluster() {
      return cluster
    },
    get pool() {
      return started(pool)
    },
    schema() {
      const name = `palimpsest_${run}_${schemas.length}`
      schemas.push(name)
      return name
    },
  }
}
