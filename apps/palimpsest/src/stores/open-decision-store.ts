import type { DecisionStore } from '@palimpsest/decisions'
import { storeOpener } from './open-in-database.ts'
import type { StoreAccess } from './open-lcm-store.ts'
import type { StorePlace } from './store-place.ts'

/** Opens the store of the engine `decisions` at a place, several times if need be. Nothing is read yet. */
export async function decisionStoreOpener(
  place: StorePlace,
  access: StoreAccess = 'create',
): Promise<() => DecisionStore> {
  if (place.kind === 'postgres') {
    const load = async () => (await import('@palimpsest/postgres')).createPostgresDecisionStore
    return storeOpener(place, load, access === 'create')
  }
  const { createSqliteDecisionStore } = await import('@palimpsest/decisions/sqlite')
  const { path } = place
  return () =>
    createSqliteDecisionStore({
      path,
      readOnly: access === 'read' || access === 'check',
      create: access === 'create',
    })
}

/** Opens the store of the engine `decisions`. */
export async function openDecisionStore(
  place: StorePlace,
  access: StoreAccess = 'create',
): Promise<DecisionStore> {
  return (await decisionStoreOpener(place, access))()
}
