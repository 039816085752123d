import type { StoredProjection } from '@palimpsest/core'
import { createLocalLocks } from '@palimpsest/gateway'
import { insertSealed, inTransaction, type Sql } from '@palimpsest/sqlite-kit'
import { createWriteWatch } from '../health/watch-writes.ts'
import type { MeteredCall } from '../models/meter.ts'
import { paidTokens } from '../models/price-of.ts'
import {
  findConversation,
  findFaults,
  findResponse,
  listConversations,
  readMessages,
  readProjection,
  sumCosts,
} from './read-record.ts'
import { SERVICE_TABLES } from './service-format.ts'
import {
  type Beginning,
  type ConversationRecord,
  type ServiceStore,
  TurnConflictError,
  type TurnRecord,
} from './service-store.ts'

/**
 * The service's record in a database of `SERVICE_FORMAT`, which belongs to this process alone. Texts of callers are stored
 * as JSON: SQLite takes no lone surrogate.
 *
 * @param path its file; undefined in memory.
 */
export function createServiceStore(sql: Sql, path?: string): ServiceStore {
  const record = { sql, path }
  let isClosed = false
  const watch = createWriteWatch()
  const write = <T>(work: () => T): T => {
    try {
      const result = inTransaction(sql, 'BEGIN IMMEDIATE', work)
      watch.note()
      return result
    } catch (error) {
      watch.note(error)
      throw error
    }
  }

  return {
    kind: path === undefined ? 'memory' : 'sqlite',
    locks: createLocalLocks(),
    find: async (session) => findConversation(record, session),
    async begin(session, repoName, at, least = 1) {
      const latest = findConversation(record, session)
      return write(() => begin(sql, latest, { session, repoName, at, least }))
    },
    conversations: async () => listConversations(record),
    messages: async (conversation) => readMessages(record, conversation),
    findResponse: async (conversation, requestId) => findResponse(record, conversation, requestId),
    async commitTurn(turn) {
      write(() => insertTurn(sql, turn))
    },
    projection: async (conversation) => readProjection(record, conversation),
    async keepProjection({ conversation, projection }) {
      write(() => putProjection(sql, conversation, projection))
    },
    async addCost(conversation, call) {
      write(() => addCost(sql, conversation, call))
    },
    costs: async (conversation) => sumCosts(record, conversation),
    async check() {
      sql.get('SELECT count(*) FROM conversation')
      if (path !== undefined) watch.assertWell(path, sql)
    },
    faults: async () => findFaults(record),
    async close() {
      if (!isClosed) sql.close()
      isClosed = true
    },
  }
}

function begin(
  sql: Sql,
  latest: ConversationRecord | undefined,
  { session, repoName, at, least }: Beginning,
): ConversationRecord {
  const repo = repoName === undefined ? null : JSON.stringify(repoName)
  if (latest?.turns === 0) {
    sql.run('UPDATE conversation SET repo = ?, last_at = ? WHERE no = ?', repo, at, latest.no)
    return { ...latest, repoName }
  }
  const epoch = Math.max(least, (latest?.epoch ?? 0) + 1)
  const row = sql.get<{ no: number }>(
    `INSERT INTO conversation (session, epoch, repo, system, turns, messages, created_at, last_at)
     VALUES (?, ?, ?, '""', 0, 0, ?, ?) RETURNING no`,
    ...[session, epoch, repo, at, at],
  )
  return { no: row?.no ?? 0, session, epoch, repoName, system: '', turns: 0 }
}

function insertTurn(sql: Sql, record: TurnRecord): void {
  const { conversation, turn, system, messages, request, response, projection, at } = record
  const row = sql.get<{ turns: number; messages: number }>(
    'SELECT turns, messages FROM conversation WHERE no = ?',
    conversation,
  )
  if (row?.turns !== turn - 1)
    throw new TurnConflictError(`turn ${turn} does not follow on the ${row?.turns} turns that are stored`)
  for (const [index, message] of messages.entries())
    insertSealed(sql, SERVICE_TABLES.message, {
      ...{ conversation, seq: row.messages + index },
      json: JSON.stringify(message),
    })
  insertSealed(sql, SERVICE_TABLES.turn, {
    ...{ conversation, number: turn, response, at },
    ...{ request: request?.id ?? null, request_hash: request?.hash ?? null },
  })
  if (projection !== undefined) putProjection(sql, conversation, projection)
  sql.run(
    'UPDATE conversation SET system = ?, turns = ?, messages = messages + ?, last_at = ? WHERE no = ?',
    ...[JSON.stringify(system), turn, messages.length, at, conversation],
  )
}

function putProjection(sql: Sql, conversation: number, projection: StoredProjection | null): void {
  sql.run('DELETE FROM projection WHERE conversation = ?', conversation)
  if (projection !== null)
    insertSealed(sql, SERVICE_TABLES.projection, { conversation, json: JSON.stringify(projection) })
}

function addCost(sql: Sql, conversation: number, { purpose, model, usage }: MeteredCall): void {
  const { promptTokens, cachedTokens, writtenTokens, writtenLongTokens, completionTokens } = paidTokens(usage)
  const prompt = [promptTokens, cachedTokens, writtenTokens, writtenLongTokens]
  sql.run(
    `INSERT INTO cost (conversation, purpose, model, calls, prompt, cached, written, written_long, completion, reasoning)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + 1, prompt = prompt + excluded.prompt, cached = cached + excluded.cached,
       written = written + excluded.written, written_long = written_long + excluded.written_long,
       completion = completion + excluded.completion, reasoning = reasoning + excluded.reasoning`,
    ...[conversation, purpose, model, ...prompt, completionTokens, usage?.reasoningTokens ?? 0],
  )
}
