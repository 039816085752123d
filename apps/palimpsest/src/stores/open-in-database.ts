import type { createPostgresPool, PostgresOptions } from '@palimpsest/postgres'
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

type Pool = ReturnType<typeof createPostgresPool>

/** Connections that several stores of this process use. */
interface SharedPool {
  /** For a store, with the pool in the place of the address. */
  readonly options: Omit<PostgresOptions, 'url' | 'pool'> & { readonly pool: Pool }
  /** Idempotent. The pool ends with its last use. */
  release(): Promise<void>
}

const shared = new Map<string, { readonly pool: Pool; users: number }>()

/** One pool an address for the whole process: stores with one each would take connections that the server has for other workers. */
export function sharePool({ options }: DatabasePlace, create: typeof createPostgresPool): SharedPool {
  const { url, poolSize, connectTimeout, ...rest } = options
  const entry = shared.get(url) ?? { pool: create(options), users: 0 }
  shared.set(url, entry)
  entry.users++
  let isReleased = false
  return {
    options: { ...rest, pool: entry.pool },
    async release() {
      if (isReleased) return
      isReleased = true
      if (--entry.users > 0) return
      shared.delete(url)
      await entry.pool.end()
    },
  }
}
