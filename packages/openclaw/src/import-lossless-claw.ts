import { DatabaseSync } from 'node:sqlite'
import { equalValues, errorText, looseOf, type NewMessage, type Store, type Summary } from '@palimpsest/core'
import { StoreError } from '@palimpsest/store'
import { createTokenCounter } from '@palimpsest/tokens'
import { fromPiMessage } from '@palimpsest/transcripts'

/** The result of an import. */
export interface ImportResult {
  readonly conversations: number
  readonly messages: number
  /** Summaries of the active context that cover a contiguous run of messages. */
  readonly summaries: number
  /** Summaries that were left out because they do not; their messages were imported. */
  readonly summariesLeftOut: number
  /** Conversations that were left out, such as one that continued in the store after an earlier import. */
  readonly skipped: readonly { readonly sessionId: string; readonly reason: string }[]
}

interface ImportInput {
  readonly from: string
  readonly storeOf: (agentId: string) => Store
  readonly signal?: AbortSignal
}

const tokens = createTokenCounter()

interface ConversationRow {
  readonly conversation_id: number
  readonly session_id: string
  readonly session_key: string | null
  readonly created_at: string
  readonly age: number
}

interface MessageRow {
  readonly message_id: number
  readonly role: string
  readonly content: string
  readonly created_at: string
}

interface PartRow {
  readonly part_type: string
  readonly text_content: string | null
  readonly tool_call_id: string | null
  readonly metadata: string | null
}

interface SummaryRow {
  readonly summary_id: string
  readonly content: string
  readonly created_at: string
}

/**
 * Imports conversations, messages, summaries and their hierarchy from lossless-claw. It can be repeated: existing data
 * stays unchanged, and an interrupted import is completed.
 *
 * @throws Error if the file or its tables are missing; the signal's reason.
 */
export async function importLosslessClaw({ from, storeOf, signal }: ImportInput): Promise<ImportResult> {
  const database = new DatabaseSync(from, { readOnly: true })
  try {
    const result = { conversations: 0, messages: 0, summaries: 0, summariesLeftOut: 0 }
    const skipped: { sessionId: string; reason: string }[] = []
    for (const row of rows<ConversationRow>(database, CONVERSATIONS)) {
      signal?.throwIfAborted()
      const conversation = readConversation(database, row)
      const { key, messages, summaries, leftOut } = conversation
      if (messages.length === 0) continue
      try {
        await write(storeOf(/^agent:([^:]+):/.exec(row.session_key ?? '')?.[1] ?? 'main'), conversation)
      } catch (error) {
        if (!StoreError.isInstance(error)) throw error
        skipped.push({ sessionId: key, reason: errorText(error) })
        continue
      }
      result.conversations++
      result.messages += messages.length
      result.summaries += summaries.length
      result.summariesLeftOut += leftOut
    }
    return { ...result, skipped }
  } finally {
    database.close()
  }
}

interface Conversation {
  readonly key: string
  readonly at: number
  readonly messages: readonly NewMessage[]
  readonly summaries: readonly Summary[]
  readonly frontier: readonly number[]
  readonly leftOut: number
}

async function write(store: Store, { key, at, messages, summaries, frontier }: Conversation): Promise<void> {
  const session = await store.session({ key }, at)
  const { nextSeq, version } = await session.head()
  if (nextSeq === 0) await session.append({ nextSeq, messages, at })
  else {
    const stored = await session.messages({ includeReplaced: true })
    const isSame = (index: number) => equalValues(stored[index]?.message, messages[index]?.message)
    if (nextSeq !== messages.length || !stored.every((_, index) => isSame(index)))
      throw new StoreError('STORE_CONFLICT', `${key} is in the store with other messages, so it was left out`)
  }
  if (version === 0 && summaries.length > 0)
    await session.commit({ version, create: summaries, summaries: frontier, reason: 'compaction', at })
}

const CONVERSATIONS = `SELECT conversation_id, session_id, session_key, created_at,
  row_number() OVER (PARTITION BY session_id ORDER BY conversation_id DESC) AS age
  FROM conversations ORDER BY conversation_id`

function rows<Row>(database: DatabaseSync, sql: string, ...values: (number | string)[]): Row[] {
  return database.prepare(sql).all(...values) as unknown as Row[]
}

function readConversation(database: DatabaseSync, row: ConversationRow): Conversation {
  const { conversation_id: id, session_id: sessionId, age } = row
  const found = rows<MessageRow>(
    database,
    'SELECT message_id, role, content, created_at FROM messages WHERE conversation_id = ? ORDER BY seq',
    id,
  ).flatMap((message) => readMessage(database, message) ?? [])
  const messages = found.map(({ record }) => record)
  const places = new Map(found.map(({ messageId }, seq) => [messageId, seq]))
  const key = age === 1 ? sessionId : `${sessionId}#${id}`
  const at = timeOf(row.created_at)
  return { key, at, messages, ...readSummaries(database, id, { messages, places }) }
}

type StoredRecord = Required<NewMessage>

function readMessage(database: DatabaseSync, row: MessageRow) {
  const parts = rows<PartRow>(
    database,
    'SELECT part_type, text_content, tool_call_id, metadata FROM message_parts WHERE message_id = ? ORDER BY ordinal',
    row.message_id,
  ).map(({ metadata, ...part }) => ({ ...part, metadata: metadataOf(metadata) }))
  const [first] = parts
  const role = { tool: 'toolResult', system: 'user' }[row.role] ?? row.role
  const isPlain = first === undefined || (parts.length === 1 && first.metadata.raw === undefined)
  const content = isPlain
    ? (first?.text_content ?? row.content)
    : parts.map(({ text_content, metadata }) => metadata.raw ?? { type: 'text', text: text_content ?? '' })
  const call = first?.metadata.toolCallId ?? first?.tool_call_id
  const message = fromPiMessage({
    ...{ role, content, isError: first?.metadata.isError },
    // A result without a known call gets its own id.
    ...(role === 'toolResult' && { toolCallId: call ?? `call-${row.message_id}` }),
  })
  if (message === undefined) return undefined
  const at = timeOf(row.created_at)
  const record: StoredRecord = { message, tokens: tokens.countMessage(message), at }
  return { messageId: row.message_id, record }
}

interface Metadata {
  readonly raw?: unknown
  readonly toolCallId?: string
  readonly isError?: boolean
}

function metadataOf(json: string | null): Metadata {
  try {
    return looseOf(JSON.parse(json ?? 'null')) as Metadata
  } catch {
    return {}
  }
}

interface Stored {
  readonly messages: readonly StoredRecord[]
  readonly places: ReadonlyMap<number, number>
}

/**
 * The active summaries with their children, as far as they form one contiguous run from the first message on. Children
 * come before parents.
 */
function readSummaries(database: DatabaseSync, conversation: number, stored: Stored) {
  const all = rows<SummaryRow>(
    database,
    'SELECT summary_id, content, created_at FROM summaries WHERE conversation_id = ?',
    conversation,
  )
  const byId = new Map(all.map((row) => [row.summary_id, row]))
  const summaries: Summary[] = []
  const sourcesOf = (id: string) =>
    rows<{ id: string }>(
      database,
      'SELECT parent_summary_id AS id FROM summary_parents WHERE summary_id = ? ORDER BY ordinal',
      id,
    ).map((source) => source.id)
  const coveredBy = (id: string) =>
    rows<{ id: number }>(
      database,
      'SELECT message_id AS id FROM summary_messages WHERE summary_id = ? ORDER BY ordinal',
      id,
    ).map((message) => stored.places.get(message.id) ?? -1)

  const add = (id: string, first: number): Summary | undefined => {
    const row = byId.get(id)
    // A summary is used once, so a cycle terminates.
    if (row === undefined || !byId.delete(id)) return undefined
    const before = summaries.length
    const sources = sourcesOf(id)
    const children: Summary[] = []
    let next = first
    for (const source of sources) {
      const child = add(source, next)
      if (child === undefined) break
      children.push(child)
      next = child.last + 1
    }
    const covered = sources.length === 0 ? coveredBy(id) : []
    const isRun = covered.every((seq, index) => seq === first + index)
    const last = sources.length === 0 ? first + covered.length - 1 : next - 1
    if (children.length < sources.length || !isRun || last < first) {
      summaries.length = before
      return undefined
    }
    const summary = toSummary(row, { number: summaries.length + 1, first, last, children }, stored.messages)
    summaries.push(summary)
    return summary
  }

  const frontier: number[] = []
  let next = 0
  const shown = rows<{ id: string }>(
    database,
    `SELECT summary_id AS id FROM context_items WHERE conversation_id = ? AND item_type = 'summary' ORDER BY ordinal`,
    conversation,
  )
  for (const { id } of shown) {
    const summary = add(id, next)
    if (summary === undefined) break
    frontier.push(summary.number)
    next = summary.last + 1
  }
  return { summaries, frontier, leftOut: all.length - summaries.length }
}

interface Cover extends Pick<Summary, 'number' | 'first' | 'last'> {
  readonly children: readonly Summary[]
}

function toSummary(row: SummaryRow, cover: Cover, messages: readonly StoredRecord[]): Summary {
  const { number, first, last } = cover
  const covered = messages.slice(first, last + 1)
  const at = timeOf(row.created_at)
  return {
    ...{ number, first, last, messages: covered.length },
    depth: cover.children.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0),
    children: cover.children.map((child) => child.number),
    text: row.content,
    writer: 'model',
    tokens: tokens.countText(row.content),
    sourceTokens: covered.reduce((sum, { tokens }) => sum + tokens, 0),
    ...{ at, from: covered[0]?.at ?? at, to: covered.at(-1)?.at ?? at },
  }
}

/** SQLite's `datetime('now')` is UTC without a mark. */
function timeOf(text: string): number {
  const time = Date.parse(/[zZ]$|[+-]\d\d:\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? 0 : time
}
