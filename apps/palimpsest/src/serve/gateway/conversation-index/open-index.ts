import { errorText } from '@palimpsest/core'
import {
  type ConversationIndex,
  EMPTY_PREFIX,
  GATEWAY_DEFAULTS,
  type SessionLocks,
} from '@palimpsest/gateway'
import { storeOpener } from '../../../stores/open-in-database.ts'
import { createPostgresLocks } from '../../../stores/postgres-locks.ts'
import { besidePlace, type DatabasePlace, type StorePlace } from '../../../stores/store-place.ts'
import { UsageError } from '../../../usage-error.ts'
import type { CheckedStore } from '../../health/watch-stores.ts'
import { openServeDatabase } from '../../store/postgres/open-serve-database.ts'
import { openFileIndex } from './index-file.ts'

/** Behind the name of the service's file: what conversations of the gateway are recognised by. */
export const GATEWAY_SUFFIX = '.gateway'

/** The state that workers share besides the stores of their engines. */
export interface OpenedIndex {
  readonly index?: ConversationIndex
  /** The file that it is in. */
  readonly checked?: CheckedStore
  readonly locks?: SessionLocks
}

interface OpenIndexOptions {
  readonly principal: string
  readonly log: (line: string) => void
}

/**
 * The index beside the service's store: in a file of this process, or in the database of all workers. Nothing without
 * a store.
 *
 * @throws UsageError when it cannot be used.
 */
export async function openIndex(
  place: StorePlace | undefined,
  { principal, log }: OpenIndexOptions,
): Promise<OpenedIndex> {
  if (place === undefined) return {}
  if (place.kind === 'postgres') return openTogether(place, principal)
  const limit = GATEWAY_DEFAULTS.remembered
  const index = openFileIndex(besidePlace(place, GATEWAY_SUFFIX).name, { limit, log })
  return { index, checked: { name: 'gateway', kind: 'sqlite', check: index.check } }
}

async function openTogether(place: DatabasePlace, principal: string): Promise<OpenedIndex> {
  const open = await storeOpener(place, async () => {
    const { createPostgresIndex } = await import('./postgres/create-postgres-index.ts')
    const limit = GATEWAY_DEFAULTS.rememberedTogether
    return (options) => createPostgresIndex({ ...options, principal, limit })
  })
  const index = open()
  // Makes the tables; what is wrong with the database is said now, and not at the first request.
  await index.alike('', EMPTY_PREFIX).catch(async (cause) => {
    await index.close()
    throw new UsageError(`the index of the gateway: ${errorText(cause)}`, { cause })
  })
  const database = await openServeDatabase(place)
  const locks = createPostgresLocks(database, { principal })
  return {
    index,
    locks: {
      ...locks,
      async close() {
        await locks.close()
        await database.close()
      },
    },
  }
}
