import { errorText } from '@palimpsest/core'
import type { ConversationChange, ConversationIndex, KnownConversation } from '@palimpsest/gateway'
import { createMemoryIndex } from '@palimpsest/gateway'
import { inTransaction, openDatabase, type Sql } from '@palimpsest/sqlite-kit'
import { UsageError } from '../../../usage-error.ts'
import { INDEX_FORMAT, readConversations, writeConversation } from './index-file.ts'

interface FileIndexOptions {
  /** Conversations that are kept; the one that was quiet for longest is forgotten first. */
  readonly limit: number
  /** Told when something cannot be stored: then it is known until the process ends. */
  readonly log: (line: string) => void
}

/**
 * The index of one process, in memory and in a file.
 *
 * @throws UsageError when the file is something else, or cannot be written.
 */
export function openFileIndex(path: string, { limit, log }: FileIndexOptions): ConversationIndex {
  const sql = open(path)
  const memory = createMemoryIndex(limit, readConversations(sql))
  const write = (known: KnownConversation, change: Omit<ConversationChange, 'checkpoint'>): void => {
    try {
      inTransaction(sql, 'BEGIN IMMEDIATE', () => writeConversation(sql, known, change, limit))
    } catch (error) {
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
    async close() {
      await memory.close()
      sql.close()
    },
  }
}

function open(path: string): Sql {
  try {
    return openDatabase(path, 'create', INDEX_FORMAT)
  } catch (cause) {
    throw new UsageError(`the index of the gateway: ${errorText(cause)}`, { cause })
  }
}
