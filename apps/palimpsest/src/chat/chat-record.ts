import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type Clock,
  type ContextSession,
  errorText,
  isInstruction,
  listSessions,
  type Message,
  messageText,
  repairMessages,
  type Store,
  type StoredSession,
  type ToolSchema,
} from '@palimpsest/core'
import type { Configuration } from '../engines/configuration.ts'
import { HOME_ADVICE, makeHomeFolder } from '../home-folder.ts'
import { storePlaceOrOwn } from '../stores/find-store-place.ts'
import { openStore } from '../stores/open-store.ts'
import { UsageError } from '../usage-error.ts'

export async function openChatStore(home: string, configuration: Configuration): Promise<ChatStore> {
  const { principal } = configuration.config.store
  const place = storePlaceOrOwn(configuration, undefined, join(home, 'chats.db'))
  return { store: await openStore(place), principal, home }
}

export interface ChatStore {
  readonly store: Store
  readonly principal: string
  readonly home: string
}

export interface ChatFactsOnRecord {
  readonly workspace: string
  readonly engine: string
}

const FACTS = 'chat'
/** Ids are file names and must not lead elsewhere. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export async function readChat({ store, principal }: ChatStore, id: string): Promise<ChatFactsOnRecord> {
  const session = ID.test(id) ? await store.find({ principal, key: id }) : null
  const facts = (await session?.state(FACTS)) as ChatFactsOnRecord | null | undefined
  if (facts) return facts
  throw new UsageError(
    `there is no session "${id}" in ${store.location}; palimpsest chat --list shows what there is`,
  )
}

export type ChatRecord = ReturnType<typeof createChatRecord>

interface ChatRecordInput {
  readonly chats: ChatStore
  readonly session: ContextSession
  readonly system: Message
  readonly tools: readonly ToolSchema[]
  readonly facts: ChatFactsOnRecord
  readonly clock: Clock
}

export function createChatRecord({ chats, session, system, tools, facts, clock }: ChatRecordInput) {
  const { store, principal } = chats
  let isNoted = false
  const history = (): readonly Message[] => {
    const { transcript } = session
    const first = transcript.findIndex((message) => !isInstruction(message))
    return first === -1 ? [] : transcript.slice(first)
  }
  const set = async (messages: readonly Message[]): Promise<void> => {
    await session.prepare([system, ...messages], { tools, followUp: false })
  }
  const mend = async (): Promise<void> => {
    const messages = history()
    const whole = repairMessages(messages).messages
    const isWhole = whole.length === messages.length && whole.every((one, index) => one === messages[index])
    if (!isWhole) await set(whole)
  }
  return {
    ...facts,
    id: session.id,
    get messages() {
      return history()
    },
    async append(message: Message): Promise<void> {
      if (!isNoted) {
        const stored = await store.session({ principal, key: session.id }, clock.now())
        await stored.saveState(FACTS, facts)
        isNoted = true
      }
      await session.append(session.transcript.length === 0 ? [system, message] : [message])
    },
    async keep(count: number): Promise<void> {
      const messages = history()
      if (count < messages.length) await set(messages.slice(0, count))
    },
    async resume(): Promise<void> {
      await session.prepare(undefined, { tools, followUp: false })
      await mend()
    },
    mend,
  }
}

const BUSY = 5

/** Locks a chat by SQLite's lock on an empty file, which ends with the process. */
export function lockChat({ home }: ChatStore, id: string): () => void {
  const path = join(home, 'locks', id)
  makeHomeFolder(dirname(path))
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    const isTaken = cause instanceof Error && 'errcode' in cause && cause.errcode === BUSY
    const why = isTaken
      ? 'is open in another process; close it there, or begin a new one'
      : `cannot be locked (${path}: ${errorText(cause)}); ${HOME_ADVICE}`
    throw new UsageError(`the session ${id} ${why}`, { cause })
  }
  const held = database
  return () => held.close()
}

export interface ChatListing {
  readonly id: string
  readonly workspace: string
  readonly firstWords: string
  readonly at: number
  readonly messages: number
}

const MAX_LISTED = 200
const FIRST_WORDS = 100

export async function listChats({ store, principal }: ChatStore): Promise<ChatListing[]> {
  const all = []
  for await (const info of listSessions(store, { principal })) if (info.messages > 0) all.push(info)
  const listed: ChatListing[] = []
  for (const { key, lastAt, messages } of all.sort((a, b) => b.lastAt - a.lastAt)) {
    const session = await store.find({ principal, key })
    const facts = (await session?.state(FACTS)) as ChatFactsOnRecord | null | undefined
    if (session === null || !facts) continue
    const { workspace } = facts
    listed.push({ id: key, workspace, firstWords: await firstWordsOf(session), at: lastAt, messages })
    if (listed.length === MAX_LISTED) break
  }
  return listed
}

async function firstWordsOf(session: StoredSession): Promise<string> {
  for (const { role, message } of await session.messages({ limit: 5 }))
    if (role === 'user' && message !== null)
      return messageText(message)
        .slice(0, 4 * FIRST_WORDS)
        .replace(/[\p{C}\p{Z}]+/gu, ' ')
        .trim()
        .slice(0, FIRST_WORDS)
  return ''
}
