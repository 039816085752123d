import type { Message, StoredProjection } from '@palimpsest/core'
import { checkFile, isBroken, type SealedTable, type Sql } from '@palimpsest/sqlite-kit'
import type { Purpose } from '../models/price-of.ts'
import { damagedRow, miscount, SERVICE_TABLES } from './service-format.ts'
import {
  type ConversationRecord,
  type CostRecord,
  type StoredConversation,
  type StoreFault,
  toRecord,
} from './service-store.ts'

/** The record in a file. What is read from it is what was stored, or an error `STORE_CORRUPT`. */
interface ServiceRecord {
  readonly sql: Sql
  /** Undefined in memory. */
  readonly path: string | undefined
}

/** A row with what its seal says of it. */
interface Checked {
  /** 1 when the row is not what was stored. */
  readonly broken: number
}

interface ConversationRow extends StoredConversation, Checked {
  readonly messages: number
}

interface CostRow extends Omit<CostRecord, 'purpose'>, Checked {
  readonly purpose: string
}

const brokenOf = (table: SealedTable) => `${isBroken(table)} AS broken`
const CONVERSATION = `no, session, epoch, repo, system, turns, messages, ${brokenOf(SERVICE_TABLES.conversation)}`

/** The latest conversation of a session: by its number, which grows with its epoch. */
export function findConversation(
  { sql, path }: ServiceRecord,
  session: string,
): ConversationRecord | undefined {
  const row = sql.get<ConversationRow & { readonly newest: number }>(
    `SELECT ${CONVERSATION}, (SELECT max(epoch) FROM conversation WHERE session = ?1) AS newest FROM conversation
     WHERE no = (SELECT max(no) FROM conversation WHERE session = ?1)`,
    session,
  )
  if (row !== undefined && (row.broken || row.epoch !== row.newest))
    throw damagedRow(path, 'the conversation', session)
  return row && toRecord(row)
}

/** All that are not damaged. */
export function listConversations({
  sql,
}: ServiceRecord): (ConversationRecord & { readonly messages: number })[] {
  return sql
    .all<ConversationRow>(`SELECT ${CONVERSATION} FROM conversation ORDER BY no`)
    .filter(({ broken }) => !broken)
    .map((row) => ({ ...toRecord(row), messages: row.messages }))
}

export function readMessages({ sql, path }: ServiceRecord, conversation: number): Message[] {
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

export function readProjection(
  { sql, path }: ServiceRecord,
  conversation: number,
): StoredProjection | undefined {
  const row = sql.get<{ json: string } & Checked>(
    `SELECT json, ${brokenOf(SERVICE_TABLES.projection)} FROM projection WHERE conversation = ?`,
    conversation,
  )
  if (row?.broken) throw damagedRow(path, `the last compaction of conversation ${conversation}`)
  return row && (JSON.parse(row.json) as StoredProjection)
}

export function findResponse(
  { sql, path }: ServiceRecord,
  conversation: number,
  requestId: string,
): { readonly hash: string; readonly response: string } | undefined {
  const row = sql.get<{ hash: string; response: string } & Checked>(
    `SELECT request_hash AS hash, response, ${brokenOf(SERVICE_TABLES.turn)} FROM turn
     WHERE conversation = ? AND request = ?`,
    ...[conversation, requestId],
  )
  if (row?.broken) throw damagedRow(path, `the answer to the request "${requestId}"`)
  return row && { hash: row.hash, response: row.response }
}

export function sumCosts({ sql, path }: ServiceRecord, conversation: number | undefined): CostRecord[] {
  const rows = sql.all<CostRow>(
    `SELECT purpose, model, sum(calls) AS calls, sum(prompt) AS promptTokens, sum(cached) AS cachedTokens,
       sum(written) AS writtenTokens, sum(written_long) AS writtenLongTokens, sum(completion) AS completionTokens,
       sum(reasoning) AS reasoningTokens, max(${isBroken(SERVICE_TABLES.cost)}) AS broken
     FROM cost ${conversation === undefined ? '' : 'WHERE conversation = ?'} GROUP BY purpose, model
     ORDER BY purpose, model`,
    ...(conversation === undefined ? [] : [conversation]),
  )
  if (rows.some(({ broken }) => broken)) throw damagedRow(path, 'the sum of what calls have cost')
  return rows.map(({ broken: _, purpose, ...row }) => ({ ...row, purpose: purpose as Purpose }))
}

/** The faults of the file. Reads all of it. */
export function findFaults({ sql }: ServiceRecord): StoreFault[] {
  const faults = checkFile(sql)
  if (faults.some(({ code }) => code === 'damaged-file')) return faults
  const miscounted = sql.all<{ session: string }>(
    `SELECT session FROM conversation AS c
     WHERE messages <> (SELECT count(*) FROM message WHERE conversation = c.no)
       OR turns <> (SELECT count(*) FROM turn WHERE conversation = c.no)`,
  )
  return [...faults, ...miscounted.map(({ session }) => miscount(session))]
}
