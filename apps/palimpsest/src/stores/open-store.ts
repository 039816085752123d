import type { Store } from '@palimpsest/core'
import type { StorePlace } from './store-place.ts'

/** `read` writes nothing, `write` finds a store, `create` makes the file or the tables when there are none. */
export type StoreAccess = 'read' | 'write' | 'create'

/** Opens the store at a place, with its first call. */
export async function openStore(place: StorePlace, access: StoreAccess = 'create'): Promise<Store> {
  if (place.kind === 'postgres') {
    const { createPostgresStore } = await import('@palimpsest/postgres')
    return createPostgresStore({ ...place.options, ...(access !== 'create' && { migrate: false }) })
  }
  const { createSqliteStore } = await import('@palimpsest/store')
  return createSqliteStore({ path: place.path, readOnly: access === 'read', create: access === 'create' })
}
