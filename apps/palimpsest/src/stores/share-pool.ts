import type { createPostgresPool, PostgresOptions } from '@palimpsest/postgres'
import type { DatabasePlace } from './store-place.ts'

type Pool = ReturnType<typeof createPostgresPool>

/** Connections that several stores of this process use. */
export interface SharedPool {
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
