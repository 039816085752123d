import type { Store } from '@palimpsest/core'
import type { StorePlace } from './store-place.ts'

/** `read` writes nothing, `write` requires a store, `create` creates the file or tables if necessary. */
export type StoreAccess = 'read' | 'write' | 'create'

export async function openStore(
  place: StorePlace | undefined,
  access: StoreAccess = 'create',
): Promise<Store> {
  if (place?.kind === 'postgres') {
    const { createPostgresStore } = await import('@palimpsest/postgres')
    return createPostgresStore({ ...place.options, ...(access !== 'create' && { migrate: false }) })
  }
  const { createSqliteStore } = await import('@palimpsest/store')
  const { path = ':memory:' } = place ?? {}
  return createSqliteStore({ path, readOnly: access === 'read', create: access === 'create' })
}
