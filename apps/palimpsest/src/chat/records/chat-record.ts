import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type Clock,
  copyValue,
  errorText,
  freezeMessage,
  type Message,
  MISSING_RESULT_TEXT,
  repairMessages,
  type StoredProjection,
} from '@palimpsest/core'
import { resultCode } from '@palimpsest/sqlite-kit'
import { HOME_ADVICE, makeHomeFolder } from '../../home-folder.ts'
import { UsageError } from '../../usage-error.ts'
import { readRecord } from './read-record.ts'
import { type RecordHeader, recordPaths } from './record-line.ts'
import { createRecordWriter } from './record-writer.ts'

/** The messages of one chat, in memory and on the disk. It belongs to this process until it is closed. */
export interface ChatRecord {
  readonly id: string
  /** The file. */
  readonly path: string
  readonly workspace: string
  /** The engine that was used last. */
  readonly engine: string
  /** Without those that were taken back. Frozen. */
  readonly messages: readonly Message[]
  /** What the session of that engine kept of its last compaction. Gone when messages are taken back, until it is noted again. */
  readonly projection: StoredProjection | undefined
  /** For people, about the state of the file: one sentence each. */
  readonly warnings: readonly string[]
  /** Whether nothing was ever written. */
  readonly isEmpty: boolean
  /** Adds a message, on the disk first. */
  append(message: Message): Promise<void>
  /** Takes back everything behind the first so many messages. */
  keep(count: number): Promise<void>
  reset(): Promise<void>
  noteEngine(engine: string): Promise<void>
  /** Does nothing for the one that is noted already. */
  noteProjection(projection: StoredProjection | undefined): Promise<void>
  /** Makes the history one that every model takes: calls at its end that have no result get `result`. */
  mend(result: string): Promise<void>
  close(): Promise<void>
}

/** The result of a call whose own was lost with the process. */
const CUT_OFF = 'Error: the program ended before this call was answered; what it did is not known'

interface Beginning {
  readonly header: RecordHeader
  readonly messages: readonly Message[]
  readonly engine: string
  readonly projection?: StoredProjection | undefined
  readonly bytes: number
  readonly warnings: readonly string[]
}

/** @throws UsageError when the id is taken. */
export function createChatRecord(home: string, header: RecordHeader, clock: Clock): ChatRecord {
  const { record, lock } = recordPaths(home, header.id)
  const unlock = lockChat(lock, header.id)
  return open(record, { header, messages: [], engine: header.engine, bytes: 0, warnings: [] }, unlock, clock)
}

/**
 * Opens the record of a chat. Calls without a result, because the process ended between the two, get one that says so.
 *
 * @throws UsageError when there is no such chat, it is open elsewhere, or its record cannot be read.
 */
export async function openChatRecord(home: string, id: string, clock: Clock): Promise<ChatRecord> {
  const { record: path, lock } = recordPaths(home, id)
  if (!existsSync(path))
    throw new UsageError(`there is no session "${id}" in ${home}; palimpsest chat --list shows what there is`)
  const unlock = lockChat(lock, id)
  try {
    const read = await readRecord(path)
    const torn = 'the last line of the record was cut off when the process ended, and is left out'
    const record = open(path, { ...read, warnings: read.isTorn ? [torn] : [] }, unlock, clock)
    await record.mend(CUT_OFF)
    return record
  } catch (error) {
    unlock()
    throw error
  }
}

function open(path: string, beginning: Beginning, unlock: () => void, clock: Clock): ChatRecord {
  const { header, warnings } = beginning
  let messages: readonly Message[] = Object.freeze(beginning.messages.map(frozen))
  let { engine, projection } = beginning
  const writer = createRecordWriter({ path, header: () => ({ ...header, engine }), bytes: beginning.bytes })

  const append = async (message: Message): Promise<void> => {
    const copy = frozen(message)
    await writer.append({ type: 'message', at: clock.now(), message: copy })
    messages = Object.freeze([...messages, copy])
  }

  const keep = async (count: number): Promise<void> => {
    if (count >= messages.length) return
    await writer.append({ type: 'undo', at: clock.now(), keep: count })
    projection = undefined
    messages = Object.freeze(messages.slice(0, count))
  }

  return {
    id: header.id,
    path,
    workspace: header.workspace,
    get engine() {
      return engine
    },
    get messages() {
      return messages
    },
    get projection() {
      return projection
    },
    warnings,
    get isEmpty() {
      return writer.isEmpty
    },
    append,
    keep,
    async reset() {
      if (messages.length === 0) return
      await writer.append({ type: 'reset', at: clock.now() })
      projection = undefined
      messages = Object.freeze([])
    },
    async noteEngine(name) {
      // A record without a line says it in its first one.
      if (!writer.isEmpty) await writer.append({ type: 'engine', at: clock.now(), engine: name })
      engine = name
      projection = undefined
    },
    async noteProjection(next) {
      if (next === projection) return
      await writer.append({ type: 'projection', at: clock.now(), projection: next ?? null })
      projection = next
    },
    async mend(result) {
      const whole = mended(messages, result)
      const same = whole.findIndex((message, index) => message !== messages[index])
      const kept = same === -1 ? whole.length : same
      await keep(kept)
      for (const message of whole.slice(kept)) await append(message)
    },
    async close() {
      await writer.close()
      unlock()
    },
  }
}

function frozen(message: Message): Message {
  return freezeMessage(copyValue(message))
}

/** The history with a result for each call, in which everything that needs no repair is the same. */
function mended(messages: readonly Message[], result: string): readonly Message[] {
  return repairMessages(messages).messages.map((message) =>
    message.role === 'tool' && message.content === MISSING_RESULT_TEXT && !messages.includes(message)
      ? { ...message, content: result }
      : message,
  )
}

/** SQLite's code for a file that another process has locked. */
const BUSY = 5

/**
 * Makes a chat this process's own until the returned function is called. The lock is SQLite's on an empty file, which
 * the operating system takes back with the process, however that ends: there is no stale one.
 *
 * @throws UsageError when another process has the chat open.
 */
function lockChat(path: string, id: string): () => void {
  makeHomeFolder(dirname(path))
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    const why =
      resultCode(cause) === BUSY
        ? 'is open in another process; close it there, or begin a new one'
        : `cannot be locked (${path}: ${errorText(cause)}); ${HOME_ADVICE}`
    throw new UsageError(`the session ${id} ${why}`, { cause })
  }
  const held = database
  return () => held.close()
}
