import { readFile } from 'node:fs/promises'
import { errorText } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import {
  type ConversationIndex,
  EMPTY_PREFIX,
  GATEWAY_DEFAULTS,
  type SessionLocks,
} from '@palimpsest/gateway'
import { MAX_PAUSES, type SessionPauses } from '@palimpsest/prompt-caching'
import { replaceFile } from '../../../replace-file.ts'
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
  /** Those of earlier sessions. They are stored with the index; undefined where they are not. */
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
  if (place.kind === 'postgres') return openTogether(place, principal)
  const limit = GATEWAY_DEFAULTS.remembered
  const index = openFileIndex(besidePlace(place, GATEWAY_SUFFIX).name, { limit, log })
  const checked: CheckedStore = { name: 'gateway', kind: 'sqlite', check: index.check }
  if (!keepsPauses) return { index, checked }
  const kept = await keepPauses(besidePlace(place, PAUSES_SUFFIX).name, log)
  const close = async () => {
    await index.close()
    await kept.close()
  }
  return { index: { ...index, close }, checked, pauses: kept.pauses }
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

/** The pauses of earlier sessions, which planners learn from. */
interface KeptPauses {
  /** The list that planners share. It is in the file a minute later. */
  readonly pauses: SessionPauses[]
  /** Writes what is new. */
  close(): Promise<void>
}

/** Milliseconds. */
const SAVE_INTERVAL = 60_000

const pausesSchema = z.array(
  z.object({
    requests: z.int().positive(),
    longPauses: z.array(z.number().positive()).max(MAX_PAUSES),
    changes: z.int().min(0),
  }),
)

/**
 * Keeps pauses in a file: numbers, and nothing of what was said. It is replaced as a whole, so a process that is killed
 * leaves the one before. A file that is damaged is told and replaced: then they are learned anew.
 */
export async function keepPauses(path: string, log: (line: string) => void): Promise<KeptPauses> {
  const pauses = await readPauses(path).catch((error) => {
    log(`warning: the pauses of earlier sessions are learned anew, ${path} is damaged: ${errorText(error)}`)
    return []
  })
  let saved = JSON.stringify(pauses)
  let saving = Promise.resolve()
  const save = async (): Promise<void> => {
    const text = JSON.stringify(pauses)
    if (text === saved) return
    try {
      await replaceFile(path, text, 0o600)
      saved = text
    } catch (error) {
      log(`warning: the pauses of sessions were not stored: ${errorText(error)}`)
    }
  }
  const saveNext = () => {
    saving = saving.then(save)
    return saving
  }
  const timer = setInterval(saveNext, SAVE_INTERVAL)
  timer.unref()
  return {
    pauses,
    close() {
      clearInterval(timer)
      return saveNext()
    },
  }
}

async function readPauses(path: string): Promise<SessionPauses[]> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  const { data } = pausesSchema.safeParse(JSON.parse(text))
  if (data === undefined) throw new Error('it holds something else')
  return data
}
