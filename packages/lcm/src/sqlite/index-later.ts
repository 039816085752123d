import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection, Sql } from '@palimpsest/sqlite-kit'
import { indexMessage, indexSummary } from './index-text.ts'
import type { MessageRow } from './message-rows.ts'

/** The time before the first slice, so that the first prompt goes out before, in milliseconds. */
const DELAY = 30_000
/** The same for what a process left that ended. */
const DELAY_OF_REST = 1_000

/** A slice is one transaction. */
interface Slice {
  readonly rows: number
  /** After so many it takes no further row. */
  readonly characters: number
  /** Behind it all others have so many times as long as it took. */
  readonly pause: number
}

const SLICE: Slice = { rows: 8, characters: 24_000, pause: 4 }
/** While this process does little else. For all rows, such slices take a fifth less than smaller ones. */
const IDLE_SLICE: Slice = { rows: 32, characters: 100_000, pause: 1 }
/** The part of a pause that a process with little to do is busy at most. */
const IDLE = 0.25

/**
 * A connection that brings the full-text tables up to date in the background: that of a long history takes longer than all else
 * that is done with it, and no prompt needs it.
 */
export interface IndexingConnection extends Connection {
  /**
   * Begins to index what is not indexed yet, unless it is under way. A process that ends leaves the rest to the next one: then
   * `isLeft` is true.
   */
  indexRest(isLeft?: boolean): void
}

export function withIndexing(connection: Connection): IndexingConnection {
  let running = false
  const work = async (delay: number): Promise<void> => {
    for (let pause = delay, isMore = true; isMore; ) {
      const before = performance.eventLoopUtilization()
      await wait(pause, undefined, { ref: false })
      const slice = performance.eventLoopUtilization(before).utilization < IDLE ? IDLE_SLICE : SLICE
      const begin = performance.now()
      isMore = await connection.write((sql) => indexNext(sql, slice))
      pause = slice.pause * (performance.now() - begin)
    }
  }
  return {
    ...connection,
    indexRest(isLeft = false) {
      if (running) return
      running = true
      // The store was closed, or its file fails: then the writes say so.
      work(isLeft ? DELAY_OF_REST : DELAY)
        .catch(() => {})
        .finally(() => {
          running = false
        })
    },
  }
}

/** Whether there are rows that are not indexed yet. */
export function isBehind(sql: Sql): boolean {
  return sql.get('SELECT id FROM unindexed LIMIT 1') !== undefined
}

/** Indexes the next rows of those that are not indexed yet. Within a transaction. Returns whether there may be more. */
export function indexNext(sql: Sql, slice = IDLE_SLICE): boolean {
  const rows = sql.all<{ id: number }>('SELECT id FROM unindexed ORDER BY id LIMIT 0 + ?', slice.rows)
  let characters = 0
  for (const { id } of rows) {
    sql.run('DELETE FROM unindexed WHERE id = ?', id)
    characters += id < 0 ? summaryInto(sql, -id) : messageInto(sql, id)
    if (characters > slice.characters) return true
  }
  return rows.length === slice.rows
}

/** Returns its characters, as does the other one. */
function messageInto(sql: Sql, id: number): number {
  const query = 'SELECT script, text FROM message WHERE id = ?'
  const { script, text } = sql.get<Pick<MessageRow, 'script' | 'text'>>(query, id) ?? { script: 0, text: '' }
  indexMessage(sql, id, text, script)
  return text.length
}

function summaryInto(sql: Sql, id: number): number {
  const { text } = sql.get<{ text: string }>('SELECT text FROM summary WHERE id = ?', id) ?? { text: '' }
  indexSummary(sql, id, text)
  return text.length
}
