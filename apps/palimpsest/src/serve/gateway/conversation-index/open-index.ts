import { errorText } from '@palimpsest/core'
import {
  type ConversationIndex,
  EMPTY_PREFIX,
  GATEWAY_DEFAULTS,
  type SessionLocks,
} from '@palimpsest/gateway'
import type { SessionPauses } from '@palimpsest/prompt-caching'
import { keepPauses, pausesFile } from '../../../keep-pauses.ts'
import { storeOpener } from '../../../stores/open-in-database.ts'
import { createPostgresLocks } from '../../../stores/postgres-locks.ts'
import { besidePlace, type DatabasePlace, type StorePlace } from '../../../stores/store-place.ts'
import { UsageError } from '../../../usage-error.ts'
import type { CheckedStore } from '../../health/watch-stores.ts'
import { openServeDatabase } from '../../store/postgres/open-serve-database.ts'
import { openFileIndex } from './index-file.ts'

/** Behind the name of the service's file: what conversations of the gateway are recognised by. */
export const GATEWAY_SUFFIX = '.gateway'
/** Behind the same name: the pauses of earlier sessions. */
const PAUSES_SUFFIX = '.pauses'

/** The state that workers share besides the stores of their engines. */
export interface OpenedIndex {
  readonly index?: ConversationIndex
  /** The file that it is in. */
  readonly checked?: CheckedStore
  readonly locks?: SessionLocks
  /** Those of earlier sessions, stored with the index. Undefined where they are not needed. */
  readonly pauses?: SessionPauses[]
}

interface OpenIndexOptions {
  readonly principal: string
  /** Whether the pauses of sessions are needed. */
  readonly keepsPauses: boolean
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
  { principal, keepsPauses, log }: OpenIndexOptions,
): Promise<OpenedIndex> {
  if (place === undefined) return {}
  if (place.kind === 'postgres') return openTogether(place, { principal, keepsPauses, log })
  const limit = GATEWAY_DEFAULTS.remembered
  const index = openFileIndex(besidePlace(place, GATEWAY_SUFFIX).name, { limit, log })
  const checked: CheckedStore = { name: 'gateway', kind: 'sqlite', check: index.check }
  if (!keepsPauses) return { index, checked }
  const kept = await keepPauses(pausesFile(besidePlace(place, PAUSES_SUFFIX).name), log)
  const close = async () => {
    await kept.close()
    await index.close()
  }
  return { index: { ...index, close }, checked, pauses: kept.pauses }
}

async function openTogether(
  place: DatabasePlace,
  { principal, keepsPauses, log }: OpenIndexOptions,
): Promise<OpenedIndex> {
  const open = await storeOpener(place, async () => {
    const { createPostgresIndex } = await import('./postgres/create-postgres-index.ts')
    const limit = GATEWAY_DEFAULTS.rememberedTogether
    return (options) => createPostgresIndex({ ...options, principal, limit })
  })
  const { pauses: stored, ...index } = open()
  // Makes the tables; what is wrong with the database is said now, and not at the first request.
  await index.alike('', EMPTY_PREFIX).catch(async (cause) => {
    await index.close()
    throw new UsageError(`the index of the gateway: ${errorText(cause)}`, { cause })
  })
  const database = await openServeDatabase(place)
  const locks = createPostgresLocks(database, { principal })
  const kept = keepsPauses ? await keepPauses(stored, log) : undefined
  const close = async () => {
    await kept?.close()
    await index.close()
  }
  return {
    index: { ...index, close },
    ...(kept && { pauses: kept.pauses }),
    locks: {
      ...locks,
      async close() {
        await locks.close()
        await database.close()
      },
    },
  }
}
