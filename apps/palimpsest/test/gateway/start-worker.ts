import { createPostgresIndex } from '../../src/serve/gateway/conversation-index/postgres/create-postgres-index.ts'
import { openServeDatabase } from '../../src/serve/store/postgres/open-serve-database.ts'
import { createPostgresLocks } from '../../src/stores/postgres-locks.ts'
import { databasePlace } from '../../src/stores/store-place.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts'

interface WorkerOptions extends Omit<TestGatewayOptions, 'place' | 'index'> {
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
  const database = await openServeDatabase(place)
  const time = holdTime === undefined ? {} : { time: holdTime }
  const locks = createPostgresLocks(database, { principal: 'local', ...time })
  const closing = { ...locks, close: () => locks.close().then(() => database.close()) }
  const index = createPostgresIndex({ ...place.options, poolSize: 2, principal: 'local', limit: 1_000 })
  return startTestGateway({ locks: closing, ...options, place, index })
}
