import { databasePlace } from '../../src/stores/store-place.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts'

interface WorkerOptions extends Omit<TestGatewayOptions, 'place'> {
  /** The database of all workers. */
  readonly url: string
  readonly schema: string
  /** Tells its connections from those of the others: they share none. */
  readonly name: string
}

/** A gateway as one of several that share a database. */
export async function startWorker({ url, schema, name, ...options }: WorkerOptions): Promise<TestGateway> {
  const own = new URL(url)
  own.searchParams.set('application_name', name)
  const place = databasePlace({ url: own.href, schema, poolSize: 4, connectTimeout: 2_000 }, 'url')
  return startTestGateway({ ...options, place })
}
