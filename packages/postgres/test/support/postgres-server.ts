import { randomUUID } from 'node:crypto'
import { escapeIdentifier, Pool } from 'pg'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { sharedValue } from '../../../../scripts/share-value.ts'
import { findServer } from './find-server.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

/**
 * What the tests of a file need: `server`: any, shared with others; `local`: one on this machine, shared too, with all
 * rights, where every role may enter; `cluster`: their own one, which they may kill.
 */
export type ServerNeed = 'server' | 'local' | 'cluster'

/** A server for the tests of one file. */
export interface PostgresServer {
  /** An address of it. */
  readonly url: string
  /** The server, when the tests need their own one. */
  readonly cluster: Cluster
  /** For looking at tables from the outside. */
  readonly pool: Pool
  /** The name of a schema, or of a role, that nobody else uses. What is there of that schema at the end is dropped. */
  schema(): string
}

/** How long a server may take to begin or to end, in milliseconds, on a machine that has much else to do. */
const START_TIMEOUT = 60_000

const GIVEN_URL = process.env.PALIMPSEST_TEST_POSTGRES_URL

/**
 * Tests on a real server: the one of `PALIMPSEST_TEST_POSTGRES_URL` where any will do, or one that is started for them.
 * Without either, they are skipped, and the title says so.
 */
export function describeWithPostgres(
  title: string,
  define: (server: PostgresServer) => void,
  need: ServerNeed = 'server',
): void {
  const given = need === 'server' ? GIVEN_URL : undefined
  const bin = given === undefined ? findServer() : undefined
  const isThere = given !== undefined || bin !== undefined
  const name = isThere ? title : `${title} (skipped: ${missing(need)})`
  describe.skipIf(!isThere)(name, () => define(createServer(need, given, bin)))
}

function missing(need: ServerNeed): string {
  const programs = 'no programs of a PostgreSQL server are on this machine'
  return need === 'server' ? `${programs}, and PALIMPSEST_TEST_POSTGRES_URL is not set` : programs
}

function createServer(need: ServerNeed, given: string | undefined, bin: string | undefined): PostgresServer {
  const run = randomUUID().slice(0, 8)
  const schemas: string[] = []
  let cluster: Cluster | undefined
  let running: { readonly url: string; readonly pool: Pool } | undefined
  const started = <T>(value: T | undefined): T => {
    if (value === undefined)
      throw new Error('a server runs within tests only, and is theirs if they need a cluster')
    return value
  }

  beforeAll(async () => {
    if (need === 'cluster') cluster = await startCluster(started(bin))
    const url = cluster?.url ?? given ?? (await sharedValue<string>(inject('sharedServer')))
    running = { url, pool: new Pool({ connectionString: url, max: 2 }) }
    running.pool.on('error', () => {})
  }, START_TIMEOUT)
  afterAll(async () => {
    try {
      // The other servers are removed as they are.
      if (given !== undefined)
        for (const name of schemas)
          await running?.pool.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(name)} CASCADE`)
    } finally {
      await running?.pool.end()
      await cluster?.remove()
    }
  }, START_TIMEOUT)

  return {
    get url() {
      return started(running).url
    },
    get cluster() {
      return started(cluster)
    },
    get pool() {
      return started(running).pool
    },
    schema() {
      const name = `palimpsest_${run}_${schemas.length}`
      schemas.push(name)
      return name
    },
  }
}
