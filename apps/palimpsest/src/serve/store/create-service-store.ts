import type { Message } from '@palimpsest/core'
import { createLocalLocks } from '@palimpsest/gateway'
import {
  checkFile,
  insertSealed,
  inTransaction,
  isBroken,
  type SealedTable,
  type Sql,
} from '@palimpsest/sqlite-kit'
import { createWriteWatch } from '../health/watch-writes.ts'
import type { MeteredCall } from '../models/meter.ts'
import { paidTokens } from '../models/price-of.ts'
import type { Purpose } from '../models/purpose.ts'
import { damagedRow, miscount, SERVICE_TABLES } from './service-format.ts'
import type { ConversationRecord, CostRecord, ServiceStore, TurnRecord } from './service-store.ts'
import { TurnConflictError } from './turn-conflict-error.ts'

/** A row with what its seal says of it. */
interface Checked {
  /** 1 when the row is not what was stored. */
  readonly broken: number
}

interface ConversationRow extends Checked {
  readonly no: number
  readonly session: string
  readonly epoch: number
  readonly repo: string | null
  readonly system: string
  readonly turns: number
  readonly messages: number
}

interface CostRow extends Omit<CostRecord, 'purpose'>, Checked {
  readonly purpose: string
}

const brokenOf = (table: SealedTable) => `${isBroken(table)} AS broken`
const CONVERSATION = `no, session, epoch, repo, system, turns, messages, ${brokenOf(SERVICE_TABLES.conversation)}`

/**
 * The service's record in a database of `SERVICE_FORMAT`, which belongs to this process alone. Texts of callers are stored
 * as JSON: SQLite takes no lone surrogate.
 *
 * @param path its file; undefined in memory.
 */
export function createServiceStore(sql: Sql, path?: string): ServiceStore {
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

  /** All that there are of a session: of a damaged one it is not certain that it is not the latest. */
  const find = (session: string): ConversationRecord | undefined => {
    const rows = sql.all<ConversationRow>(
      `SELECT ${CONVERSATION} FROM conversation WHERE session = ? ORDER BY epoch`,
      session,
    )
    if (rows.some(({ broken }) => broken)) throw damagedRow(path, 'its conversation', session)
    const latest = rows.at(-1)
    return latest && toRecord(latest)
  }

  const messages = (conversation: number): Message[] => {
    const query = 'SELECT session, messages FROM conversation WHERE no = ?'
    const known = sql.get<{ session: string; messages: number }>(query, conversation)
    const rows = sql.all<{ seq: number; json: string } & Checked>(
      `SELECT seq, json, ${brokenOf(SERVICE_TABLES.message)} FROM message WHERE conversation = ? ORDER BY seq`,
      conversation,
    )
    const wrong = rows.findIndex(({ seq, broken }, index) => broken || seq !== index)
    if (wrong >= 0 || rows.length !== (known?.messages ?? 0))
      throw damagedRow(path, `message ${(wrong < 0 ? rows.length : wrong) + 1}`, known?.session)
    return rows.map(({ json }) => JSON.parse(json) as Message)
  }

  return {
    kind: path === undefined ? 'memory' : 'sqlite',
    locks: createLocalLocks(),
    find: async (session) => find(session),
    async begin(session, repoName, at, least = 1) {
      const latest = find(session)
      return write(() => begin(sql, latest, { session, repoName, at, least }))
    },
    conversations: async () =>
      sql
        .all<ConversationRow>(`SELECT ${CONVERSATION} FROM conversation ORDER BY no`)
        .filter(({ broken }) => !broken)
        .map((row) => ({ ...toRecord(row), messages: row.messages })),
    messages: async (conversation) => messages(conversation),
    async findResponse(conversation, requestId) {
      const row = sql.get<{ hash: string; response: string } & Checked>(
        `SELECT request_hash AS hash, response, ${brokenOf(SERVICE_TABLES.turn)} FROM turn WHERE conversation = ? AND request = ?`,
        ...[conversation, requestId],
      )
      if (row?.broken) throw damagedRow(path, `the answer to the request "${requestId}"`)
      return row && { hash: row.hash, response: row.response }
    },
    async commitTurn(turn) {
      write(() => insertTurn(sql, turn))
    },
    async addCost(conversation, call) {
      write(() => addCost(sql, conversation, call))
    },
    async costs(conversation) {
      const rows = sql.all<CostRow>(
        `SELECT purpose, model, sum(calls) AS calls, sum(prompt) AS promptTokens, sum(cached) AS cachedTokens,
           sum(written) AS writtenTokens, sum(written_long) AS writtenLongTokens, sum(completion) AS completionTokens,
           sum(reasoning) AS reasoningTokens, max(${isBroken(SERVICE_TABLES.cost)}) AS broken
         FROM cost ${conversation === undefined ? '' : 'WHERE conversation = ?'} GROUP BY purpose, model
         ORDER BY purpose, model`,
        ...(conversation === undefined ? [] : [conversation]),
      )
      if (rows.some(({ broken }) => broken)) throw damagedRow(path, 'what calls have cost')
      return rows.map(({ broken: _, purpose, ...row }) => ({ ...row, purpose: purpose as Purpose }))
    },
    async check() {
      sql.get('SELECT count(*) FROM conversation')
      if (path !== undefined) watch.assertWell(path, sql)
    },
    async faults() {
      const faults = checkFile(sql)
      if (faults.some(({ code }) => code === 'damaged-file')) return faults
      const miscounted = sql.all<{ session: string }>(
        `SELECT session FROM conversation AS c
         WHERE messages <> (SELECT count(*) FROM message WHERE conversation = c.no)
           OR turns <> (SELECT count(*) FROM turn WHERE conversation = c.no)`,
      )
      return [...faults, ...miscounted.map(({ session }) => miscount(session))]
    },
    async close() {
      if (!isClosed) sql.close()
      isClosed = true
    },
  }
}

interface Beginning {
  readonly session: string
  readonly repoName: string | undefined
  readonly at: number
  /** The least epoch. */
  readonly least: number
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
  const { conversation, turn, system, messages, request, response, at } = record
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
  sql.run(
    'UPDATE conversation SET system = ?, turns = ?, messages = messages + ?, last_at = ? WHERE no = ?',
    ...[JSON.stringify(system), turn, messages.length, at, conversation],
  )
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

function toRecord({ no, session, epoch, turns, repo, system }: ConversationRow): ConversationRecord {
  return {
    ...{ no, session, epoch, turns },
    repoName: repo === null ? undefined : (JSON.parse(repo) as string),
    system: JSON.parse(system) as string,
  }
}
