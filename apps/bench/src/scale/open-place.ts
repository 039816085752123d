import { createPostgresPool } from '@palimpsest/postgres'
import { escapeIdentifier } from 'pg'
import { UsageError } from '../commands/usage-error.ts'
import { findPrograms, startServer } from './start-server.ts'

/**
 * A server by its address, or one that is started for as long as this takes.
 *
 * @param folder where the files of an own server may lie.
 * @throws UsageError when there is neither.
 */
export async function openPlace(url: string | undefined, folder: string) {
  const own = url === undefined ? await startOwn(folder) : undefined
  const address = url ?? own?.url ?? ''
  const pool = createPostgresPool({ url: address, poolSize: 1 })
  const schemas: string[] = []
  return {
    url: address,
    /** The name of a schema of the bench's own: it is made by its user, and dropped at the end. */
    schema(name: string): string {
      const schema = `palimpsest_bench_${process.pid}_${name}`
      schemas.push(schema)
      return schema
    },
    /** Drops what was made, and ends the server if it is the bench's own. */
    async close(): Promise<void> {
      try {
        if (own === undefined)
          for (const schema of schemas)
            await pool.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(schema)} CASCADE`)
      } finally {
        await pool.end()
        await own?.stop()
      }
    },
  }
}

async function startOwn(folder: string) {
  const programs = findPrograms()
  if (programs === undefined)
    throw new UsageError(
      'there is no PostgreSQL server on this machine; name one with --url postgres://…, or set PALIMPSEST_TEST_POSTGRES_URL',
    )
  return startServer(programs, folder)
}
