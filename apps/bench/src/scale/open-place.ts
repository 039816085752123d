import { createPostgresPool } from '@palimpsest/postgres'
import { escapeIdentifier } from 'pg'
import { UsageError } from '../commands/usage-error.ts'
import { findPrograms, startServer } from './start-server.ts'

/** A server to measure on. */
export interface Place {
  readonly url: string
  /** The name of a schema that nobody else uses: it is made by who uses it, and dropped at the end. */
  schema(name: string): string
  /** Drops what was made, and ends the server if it is the bench's own. */
  close(): Promise<void>
}

/**
 * A server by its address, or one that is started for as long as this takes.
 *
 * @param folder where the files of an own server may lie.
 * @throws UsageError when there is neither.
 */
export async function openPlace(url: string | undefined, folder: string): Promise<Place> {
  const own = url === undefined ? await startOwn(folder) : undefined
  const address = url ?? own?.url ?? ''
  const pool = createPostgresPool({ url: address, poolSize: 1 })
  const schemas: string[] = []
  return {
    url: address,
    schema(name) {
      const schema = `palimpsest_bench_${process.pid}_${name}`
      schemas.push(schema)
      return schema
    },
    async close() {
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
