import { accessSync, constants } from 'node:fs'
import type { DecisionStore } from '@palimpsest/decisions'
import type { LcmStore } from '@palimpsest/lcm'
import { storeOpener } from './open-in-database.ts'
import type { StorePlace } from './store-place.ts'

/**
 * The use of a store. `read` writes nothing; `check` neither, but takes a writer's lock where a file lets it,
 * without which SQLite does not compare its indexes with the texts; `create` makes the file or the tables when there
 * are none.
 */
export type StoreAccess = 'read' | 'check' | 'write' | 'create'

/** Opens the store of the engine `lcm` at a place, several times if need be. Nothing is read yet. */
export async function lcmStoreOpener(
  place: StorePlace,
  access: StoreAccess = 'create',
): Promise<() => LcmStore> {
  if (place.kind === 'postgres') {
    const load = async () => (await import('@palimpsest/postgres')).createPostgresStore
    return storeOpener(place, load, access === 'create')
  }
  const { createSqliteStore } = await import('@palimpsest/lcm/sqlite')
  const { path } = place
  return () =>
    createSqliteStore({
      path,
      readOnly: access === 'read' || (access === 'check' && !isWritable(path)),
      create: access === 'create',
    })
}

/** Opens the store of the engine `lcm`. */
export async function openLcmStore(place: StorePlace, access: StoreAccess = 'create'): Promise<LcmStore> {
  return (await lcmStoreOpener(place, access))()
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

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
