import { setTimeout as wait } from 'node:timers/promises'
import type { Connection, Sql } from '@palimpsest/sqlite-kit'
import { indexMessage } from './index-text.ts'
import type { MessageRow } from './message-rows.ts'

/**
 * An append of so many messages is part of a history that comes at once. Its full-text index takes longer than all else
 * that is done with it, and no prompt needs it: it is made behind the writes. A search looks at the texts until then.
 */
export const MANY_MESSAGES = 16
/** The time before the first slice, so that the first prompt goes out before, in milliseconds. */
const DELAY = 5_000
/** Of the time, others have so many times as much as the index. */
const OTHERS = 4
/** Messages of a slice, which is one transaction, and characters after which it takes no further one. */
const SLICE = { messages: 8, characters: 24_000 }

/** A connection that brings the full-text tables up to date in the background. */
export interface IndexingConnection extends Connection {
  /** Begins to index what is not indexed yet, unless it is under way. A process that ends leaves the rest to the next one. */
  indexRest(): void
}

export function withIndexing(connection: Connection): IndexingConnection {
  let running = false
  const work = async (): Promise<void> => {
    for (let pause = DELAY, isMore = true; isMore; ) {
      await wait(pause, undefined, { ref: false })
      const begin = performance.now()
      isMore = await connection.write(indexNext)
      pause = OTHERS * (performance.now() - begin)
    }
  }
  return {
    ...connection,
    indexRest() {
      if (running) return
      running = true
      // The store was closed, or its file fails: then the writes say so.
      work()
        .catch(() => {})
        .finally(() => {
          running = false
        })
    },
  }
}

/** Whether there are messages that are not indexed yet. */
export function isBehind(sql: Sql): boolean {
  return sql.get('SELECT id FROM unindexed LIMIT 1') !== undefined
}

/** Indexes the next messages of those that are not indexed yet. Within a transaction. Returns whether there may be more. */
export function indexNext(sql: Sql): boolean {
  const rows = sql.all<Pick<MessageRow, 'id' | 'script' | 'text'>>(
    'SELECT id, script, text FROM unindexed CROSS JOIN message USING (id) ORDER BY id LIMIT 0 + ?',
    SLICE.messages,
  )
  let characters = 0
  for (const { id, script, text } of rows) {
    sql.run('DELETE FROM unindexed WHERE id = ?', id)
    indexMessage(sql, id, text, script)
    characters += text.length
    if (characters > SLICE.characters) return true
  }
  return rows.length === SLICE.messages
}
