import type { PostgresOptions } from '@palimpsest/postgres'
import { sharePool } from './share-pool.ts'
import type { DatabasePlace } from './store-place.ts'

/** A store that can be closed. */
interface Closable {
  close(): Promise<void>
}

type Create<Store> = (options: PostgresOptions) => Store

/**
 * Opens a store on the connections that all stores of the process in this database share.
 *
 * @param mayMake False for who only looks at what is there: tables are not made then.
 */
export async function storeOpener<Store extends Closable>(
  place: DatabasePlace,
  load: () => Promise<Create<Store>>,
  mayMake = true,
): Promise<() => Store> {
  const { createPostgresPool } = await import('@palimpsest/postgres')
  const create = await load()
  return () => {
    const { options, release } = sharePool(place, createPostgresPool)
    const store = createOrRelease({ ...options, ...(!mayMake && { migrate: false }) }, release)
    return {
      ...store,
      async close() {
        try {
          await store.close()
        } finally {
          await release()
        }
      },
    }
  }

  function createOrRelease(options: PostgresOptions, release: () => Promise<void>): Store {
    try {
      return create(options)
    } catch (error) {
      // No connection was used yet: there is nothing to wait for.
      void release()
      throw error
    }
  }
}
