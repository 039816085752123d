import { createPostgresPool } from '@palimpsest/postgres'
import { escapeIdentifier } from 'pg'
import { findServer } from '../../../../packages/postgres/test/support/find-server.ts'
import { startCluster } from '../../../../packages/postgres/test/support/start-cluster.ts'
import { UsageError } from '../commands/usage-error.ts'

/** Changes to the defaults: the memory of a small server of its own, and room between two checkpoints. */
const SETTINGS = { listen_addresses: '', shared_buffers: '1GB', max_wal_size: '4GB', max_connections: '60' }

/** A server by its address, or one that is started in `folder` for as long as this takes. @throws UsageError without either. */
export async function openPlace(given: string | undefined, folder: string) {
  const programs = given === undefined ? findServer() : undefined
  if (given === undefined && programs === undefined)
    throw new UsageError(
      'there is no PostgreSQL server on this machine; name one with --url postgres://…, or set PALIMPSEST_TEST_POSTGRES_URL',
    )
  const own = programs === undefined ? undefined : await startCluster(programs, SETTINGS, folder)
  const url = given ?? own?.url ?? ''
  const pool = createPostgresPool({ url, poolSize: 1 })
  const schemas: string[] = []
  return {
    url,
    schema(name: string): string {
      const schema = `palimpsest_bench_${process.pid}_${name}`
      schemas.push(schema)
      return schema
    },
    async close(): Promise<void> {
      try {
        if (own === undefined)
          for (const schema of schemas)
            await pool.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(schema)} CASCADE`)
      } finally {
        await pool.end()
        await own?.kill()
      }
    },
  }
}
