import { createDatabase } from '@palimpsest/postgres/database'
import { onTestFinished } from 'vitest'
import { SERVE_DATABASE } from '../../src/serve/store/service-database.ts'
import { createPostgresLocks } from '../../src/stores/postgres-locks.ts'
import { databasePlace } from '../../src/stores/store-place.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts'

interface WorkerOptions extends Omit<TestGatewayOptions, 'place'> {
  /** The database of all workers. */
  readonly url: string
  readonly schema: string
  /** Tells its connections from those of the others: they share none. */
  readonly name: string
  /** Milliseconds for which a worker that does not answer has its conversations. Default: as in earnest. */
  readonly holdTime?: number
}

/** A gateway as one of several that share a database. */
export async function startWorker({
  url,
  schema,
  name,
  holdTime,
  ...options
}: WorkerOptions): Promise<TestGateway> {
  const own = new URL(url)
  own.searchParams.set('application_name', name)
  const place = databasePlace({ url: own.href, schema, poolSize: 4, connectTimeout: 2_000 }, 'url')
  if (holdTime === undefined) return startTestGateway({ ...options, place })
  const database = createDatabase({ ...place.options, poolSize: 2 }, SERVE_DATABASE)
  const locks = createPostgresLocks(database, { principal: 'local', time: holdTime })
  onTestFinished(() => database.close())
  return startTestGateway({ ...options, locks, place })
}
