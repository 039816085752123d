import { errorText } from '@palimpsest/core'
import type {
  ConversationChange,
  ConversationIndex,
  KnownConversation,
  RememberedConversation,
} from '@palimpsest/gateway'
import { createMemoryIndex } from '@palimpsest/gateway'
import { inTransaction, openDatabase, type Sql, toStoreError } from '@palimpsest/sqlite-kit'
import { UsageError } from '../../../usage-error.ts'
import type { CheckedStore } from '../../health/checked-store.ts'
import { createWriteWatch } from '../../health/watch-writes.ts'
import { INDEX_FORMAT, readConversations, writeConversation } from './index-file.ts'

interface FileIndexOptions {
  /** Conversations that are kept; the one that was quiet for longest is forgotten first. */
  readonly limit: number
  /** Told when something cannot be stored: then it is known until the process ends. */
  readonly log: (line: string) => void
}

/** The index of one process, and the health of its file. */
export interface FileIndex extends ConversationIndex, Pick<CheckedStore, 'check'> {}

/**
 * The index of one process, in memory and in a file.
 *
 * @throws UsageError when the file is something else, is damaged, or cannot be written.
 */
export function openFileIndex(path: string, { limit, log }: FileIndexOptions): FileIndex {
  const { sql, known: remembered } = open(path)
  const memory = createMemoryIndex(limit, remembered)
  const watch = createWriteWatch()
  const write = (known: KnownConversation, change: Omit<ConversationChange, 'checkpoint'>): void => {
    try {
      inTransaction(sql, 'BEGIN IMMEDIATE', () => writeConversation(sql, known, change, limit))
      watch.note()
    } catch (cause) {
      const error = toStoreError(cause, path, INDEX_FORMAT)
      watch.note(error)
      log(
        `warning: a conversation was not stored and will not be recognised after a restart: ${errorText(error)}`,
      )
    }
  }
  return {
    ...memory,
    async create(conversation) {
      const known = await memory.create(conversation)
      if (known !== undefined) write(known, { hidden: new Map(), dropped: [] })
      return known
    },
    async save(conversation, change) {
      const isSaved = await memory.save(conversation, change)
      if (isSaved) write({ ...conversation, checkpoint: change.checkpoint }, change)
      return isSaved
    },
    async check() {
      sql.get('SELECT count(*) FROM conversation')
      watch.assertWell(path)
    },
    async close() {
      await memory.close()
      sql.close()
    },
  }
}

function open(path: string): { readonly sql: Sql; readonly known: RememberedConversation[] } {
  let sql: Sql | undefined
  try {
    sql = openDatabase(path, 'create', INDEX_FORMAT)
    return { sql, known: readConversations(sql) }
  } catch (cause) {
    sql?.close()
    throw new UsageError(`the index of the gateway, ${path}: ${errorText(cause)}`, { cause })
  }
}
