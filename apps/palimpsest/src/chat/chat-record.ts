import { existsSync } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type Clock,
  copyValue,
  errorText,
  freezeMessage,
  type Message,
  messageText,
  repairMessages,
  type StoredProjection,
} from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import { resultCode } from '@palimpsest/sqlite-kit'
import { HOME_ADVICE, makeHomeFolder } from '../home-folder.ts'
import { describeWriteFault } from '../replace-file.ts'
import { UsageError } from '../usage-error.ts'

/** The messages of one chat, in memory and in a file of JSON lines. It belongs to this process until it is closed. */
export interface ChatRecord {
  readonly id: string
  readonly path: string
  /** The folder that the chat began in. */
  readonly workspace: string
  /** The engine that was used last; empty before the first. */
  readonly engine: string
  /** Without those that were taken back. Frozen. */
  readonly messages: readonly Message[]
  /** What the session of that engine kept of its last compaction, if nothing was taken back since. */
  readonly projection: StoredProjection | undefined
  /** For people, about the state of the file: one sentence each. */
  readonly warnings: readonly string[]
  /** Adds a message, on the disk first. */
  append(message: Message): Promise<void>
  /** Takes back everything behind the first so many messages. */
  keep(count: number): Promise<void>
  noteEngine(engine: string): Promise<void>
  noteProjection(projection: StoredProjection | undefined): Promise<void>
  /** Makes the history one that every model takes: a call at its end without a result gets one that says so. */
  mend(): Promise<void>
  /** A chat in which nothing was said leaves nothing behind. */
  close(): Promise<void>
}

const headerSchema = z.object({
  type: z.literal('chat'),
  format: z.literal(1),
  id: z.string().min(1),
  workspace: z.string(),
  /** Milliseconds since the epoch, as all times of a record. */
  created: z.number(),
  engine: z.string(),
})

const at = z.number()
const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), at, message: z.looseObject({ role: z.string() }) }),
  /** Everything behind the first `keep` messages was taken back. */
  z.object({ type: z.literal('undo'), at, keep: z.int().min(0) }),
  z.object({ type: z.literal('engine'), at, engine: z.string() }),
  /** What the session keeps of its last compaction, for the engine that made it. */
  z.object({ type: z.literal('projection'), at, projection: z.looseObject({}).nullable() }),
])

type RecordHeader = z.output<typeof headerSchema>
type RecordEvent = z.output<typeof eventSchema>

interface ReadRecord {
  readonly header: RecordHeader
  readonly events: readonly RecordEvent[]
  /** Length of what could be read, in bytes: where the next line belongs. */
  readonly bytes: number
  /** Whether a line behind that was cut off while it was written. */
  readonly isTorn: boolean
}

export function createChatRecord(
  home: string,
  facts: Pick<RecordHeader, 'id' | 'workspace'>,
  clock: Clock,
): ChatRecord {
  const unlock = lockChat(recordPaths(home, facts.id).lock, facts.id)
  const header = { type: 'chat', format: 1, created: clock.now(), engine: '', ...facts } as const
  return openRecord(home, { header, events: [], bytes: 0, isTorn: false }, unlock, clock)
}

/**
 * Opens the record of a chat. Calls without a result, because the process ended between the two, get one that says so.
 */
export async function openChatRecord(home: string, id: string, clock: Clock): Promise<ChatRecord> {
  const { record: path, lock } = recordPaths(home, id)
  if (!existsSync(path))
    throw new UsageError(`there is no session "${id}" in ${home}; palimpsest chat --list shows what there is`)
  const unlock = lockChat(lock, id)
  try {
    const record = openRecord(home, await readRecord(path), unlock, clock)
    await record.mend()
    return record
  } catch (error) {
    unlock()
    throw error
  }
}

const TORN = 'the last line of the record was cut off when the process ended, and is left out'

function openRecord(home: string, read: ReadRecord, unlock: () => void, clock: Clock): ChatRecord {
  const { header, events, isTorn } = read
  const { record: path, store, lock } = recordPaths(home, header.id)
  let messages: readonly Message[] = Object.freeze(messagesOf(events).map(frozen))
  let { engine, projection } = stateOf(header, events)
  let length = read.bytes
  let handle: FileHandle | undefined

  // The file is made with the first line, so that a chat in which nothing was said leaves none.
  const openFile = async (): Promise<FileHandle> => {
    makeHomeFolder(dirname(path))
    handle = await open(path, length === 0 ? 'wx' : 'r+', 0o600)
    await handle.truncate(length)
    return handle
  }
  const write = async (event: RecordEvent): Promise<void> => {
    const first = length === 0 ? toLine({ ...header, engine }) : ''
    const line = Buffer.from(first + toLine(event))
    try {
      const file = handle ?? (await openFile())
      // A disk that is almost full takes a part of a line, and refuses with the rest.
      for (let done = 0; done < line.length; )
        done += (await file.write(line, done, line.length - done, length + done)).bytesWritten
      await file.datasync()
      length += line.length
    } catch (cause) {
      // Half a line would be read as the end of the record, and what comes behind it as damage.
      await handle?.truncate(length).catch(() => {})
      if (cause instanceof UsageError) throw cause
      const reason = describeWriteFault(path, cause)
      throw new UsageError(`the record ${path} cannot be written: ${reason}`, { cause })
    }
  }
  const append = async (message: Message): Promise<void> => {
    const copy = frozen(message)
    await write({ type: 'message', at: clock.now(), message: copy as Message & Record<string, unknown> })
    messages = Object.freeze([...messages, copy])
  }
  const keep = async (count: number): Promise<void> => {
    if (count >= messages.length) return
    await write({ type: 'undo', at: clock.now(), keep: count })
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
    warnings: isTorn ? [TORN] : [],
    append,
    keep,
    async noteEngine(name) {
      if (name === engine) return
      // A record without a line says it in its first one.
      if (length > 0) await write({ type: 'engine', at: clock.now(), engine: name })
      engine = name
      projection = undefined
    },
    async noteProjection(next) {
      if (next === projection) return
      await write({ type: 'projection', at: clock.now(), projection: (next ?? null) as Loose | null })
      projection = next
    },
    async mend() {
      const whole = repairMessages(messages).messages
      const changed = whole.findIndex((message, index) => message !== messages[index])
      const kept = changed === -1 ? whole.length : changed
      await keep(kept)
      for (const message of whole.slice(kept)) await append(message)
    },
    async close() {
      await handle?.close()
      handle = undefined
      unlock()
      if (length > 0) return
      const names = await readdir(dirname(store)).catch(() => [])
      const stores = names.filter((name) => name.startsWith(`${basename(store)}.`))
      for (const trace of [lock, ...stores.map((name) => join(dirname(store), name))])
        await rm(trace, { force: true })
    },
  }
}

type Loose = Record<string, unknown>

function frozen(message: Message): Message {
  return freezeMessage(copyValue(message))
}

function toLine(entry: RecordHeader | RecordEvent): string {
  return `${JSON.stringify(entry)}\n`
}

/** Reads a record. A last line that was cut off by the end of a process was never acknowledged, and is left out. */
async function readRecord(path: string): Promise<ReadRecord> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`the record ${path} cannot be read (${cause.code ?? cause.message})`, { cause })
  })
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
  const [first = '', ...lines] = whole.toString('utf8').split('\n').slice(0, -1)
  const header = headerSchema.safeParse(parseJson(first)).data
  if (header === undefined) throw new UsageError(`${path} is not the record of a chat`)
  const events: RecordEvent[] = []
  let length = whole.length
  for (const [index, line] of lines.entries()) {
    const value = parseJson(line)
    // A message is kept as it was written: what it is made of is the session's to judge.
    if (eventSchema.safeParse(value).success) events.push(value as RecordEvent)
    else if (index === lines.length - 1) length -= Buffer.byteLength(line) + 1
    else throw new UsageError(`the record ${path} is damaged in line ${index + 2}; mend it or take it out`)
  }
  return { header, events, bytes: length, isTorn: length < bytes.length }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function stateOf({ engine }: RecordHeader, events: readonly RecordEvent[]) {
  // A projection holds as long as later lines only add messages.
  const last = events.findLast(({ type }) => type !== 'message')
  const projection = last?.type === 'projection' ? (last.projection ?? undefined) : undefined
  return {
    engine: events.findLast((event) => event.type === 'engine')?.engine ?? engine,
    projection: projection as StoredProjection | undefined,
  }
}

function messagesOf(events: readonly RecordEvent[]): Message[] {
  const messages: Message[] = []
  for (const event of events) {
    if (event.type === 'message') messages.push(event.message as unknown as Message)
    if (event.type === 'undo') messages.splice(event.keep)
  }
  return messages
}

/** Ids are names of files: nothing that leads elsewhere. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Where everything of one chat lies. Engines put their stores beside `store`. */
export function recordPaths(home: string, id: string) {
  if (!ID.test(id))
    throw new UsageError(`"${id}" is not the id of a session; palimpsest chat --list shows them`)
  return {
    record: join(home, 'chats', `${id}.jsonl`),
    lock: join(home, 'locks', id),
    store: join(home, 'stores', id),
  }
}

/** SQLite's code for a file that another process has locked. */
const BUSY = 5

/**
 * Makes a chat this process's own until the returned function is called. The lock is SQLite's on an empty file, which the
 * operating system takes back with the process, however that ends.
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

/** One line of the list of chats that can be resumed. */
export interface ChatListing {
  readonly id: string
  /** The folder that it began in. */
  readonly workspace: string
  /** The beginning of the conversation, on one line. */
  readonly firstWords: string
  /** Of the last change, in milliseconds since the epoch. */
  readonly at: number
  readonly messages: number
}

/** Chats that are read for a list: the newest ones. */
const MAX_LISTED = 200
const FIRST_WORDS = 100

/** The chats on this machine in which something stands, the newest first. What cannot be read as a chat is left out. */
export async function listChats(home: string): Promise<ChatListing[]> {
  const folder = join(home, 'chats')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 }
    }),
  )
  const listed: ChatListing[] = []
  // One after the other: a long chat takes memory while it is read.
  for (const { path, at } of files.sort((a, b) => b.at - a.at).slice(0, MAX_LISTED)) {
    const record = await readRecord(path).catch(() => undefined)
    if (record === undefined) continue
    const messages = messagesOf(record.events)
    if (messages.length === 0) continue
    const question = messages.find(({ role }) => role === 'user')
    const words = question === undefined ? '' : messageText(question).slice(0, 4 * FIRST_WORDS)
    const firstWords = words
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, FIRST_WORDS)
    const { id, workspace } = record.header
    listed.push({ id, workspace, firstWords, at, messages: messages.length })
  }
  return listed
}
