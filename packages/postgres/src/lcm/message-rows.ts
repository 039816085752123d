import {
  hashMessage,
  type LcmSession,
  type MessageQuery,
  type SeqRange,
  type StoredMessage,
} from '@palimpsest/lcm'
import {
  hashBytes,
  hashOf,
  LAST_NUMBER,
  type MessageColumns,
  messageColumns,
  type NewMessage,
  nextLive,
  previousLive,
  rowLimit,
  toRanges,
  toStoredMessage,
} from '@palimpsest/lcm/store-kit'
import type { Sql, SqlValue } from '../database/sql.ts'
import { indexedText } from './indexed-text.ts'
import type { SessionRow } from './session-row.ts'

/** Rows and characters that go to the server in one statement. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 8_000_000

const INSERT = `INSERT INTO lcm_message (session, principal, seq, role, at, tokens, hash, host_id,
    forgotten_at, forgotten_reason, json, folded, words, grams)
  SELECT $1, $2, seq, role, at, tokens, decode(hash, 'hex'), host_id, forgotten_at, forgotten_reason,
    json, folded, array_to_tsvector(string_to_array(words, ' ')), string_to_array(grams, ' ')
  FROM json_to_recordset($3) AS row (seq integer, role text, at double precision, tokens double precision,
    hash text, host_id text, forgotten_at double precision, forgotten_reason text, json text,
    folded text, words text, grams text)`

/** Writes messages with the commit. */
export function insertMessages(
  sql: Sql,
  { no, principal }: Pick<SessionRow, 'no' | 'principal'>,
  messages: readonly NewMessage[],
): void {
  let pending = 0
  let rows: object[] = []
  for (const [index, message] of messages.entries()) {
    const { seq, hash, text } = message
    rows.push({
      seq,
      hash: hashBytes(hash).toString('hex'),
      ...messageColumns(message),
      ...indexedText(text),
    })
    pending += message.json.length
    if (rows.length < BATCH_ROWS && pending < BATCH_CHARACTERS && index < messages.length - 1) continue
    sql.later(INSERT, no, principal, JSON.stringify(rows))
    rows = []
    pending = 0
  }
}

interface MessageRow extends MessageColumns {
  readonly seq: number
  readonly hash: Buffer
}

const MESSAGE_COLUMNS = 'seq, role, at, tokens, hash, host_id, forgotten_at, forgotten_reason, json'

/** Messages of a session as it gives them out. */
export async function readMessages(sql: Sql, no: number, query: MessageQuery): Promise<StoredMessage[]> {
  const replaced = await readReplaced(sql, no)
  const skipped = query.includeReplaced === true ? [] : replaced
  const rows = await readRange<MessageRow>(sql, no, MESSAGE_COLUMNS, { ...query, skipped })
  return rows.map((row) => toStoredMessage(row, { seq: row.seq, hash: hashOf(row.hash), replaced }))
}

/** By hash: a database that is elsewhere sends 32 bytes for a message. */
export async function compareMessages(
  sql: Sql,
  no: number,
  ...[seqs, messages]: Parameters<LcmSession['compare']>
): Promise<boolean[]> {
  const [first, last] = [seqs[0], seqs.at(-1)]
  if (first === undefined || last === undefined) return []
  const skipped = await readReplaced(sql, no)
  const range = { first, last, limit: last - first + 1, skipped }
  const rows = await readRange<Pick<MessageRow, 'seq' | 'hash'>>(sql, no, 'seq, hash', range)
  const hashes = new Map(rows.map(({ seq, hash }) => [seq, hashOf(hash)]))
  return messages.map((message, index) => hashes.get(seqs[index] ?? -1) === hashMessage(message))
}

/** Numbers of messages, both inclusive, without those in some ranges. */
export interface LiveRange extends Pick<MessageQuery, 'first' | 'last' | 'order' | 'limit'> {
  readonly skipped: readonly SeqRange[]
}

/** Columns of messages in the range's order. */
export async function readRange<Row>(
  sql: Sql,
  no: number,
  columns: string,
  range: LiveRange,
): Promise<Row[]> {
  const bounds = boundsOf(range)
  if (bounds === undefined) return []
  const query = `SELECT ${columns} FROM lcm_message
    WHERE session = $1 AND seq BETWEEN $2 AND $3 AND NOT seq <@ $4::int4multirange
    ORDER BY seq ${range.order === 'newest' ? 'DESC' : 'ASC'} LIMIT $5`
  return sql.all<Row>(query, no, ...bounds, rowLimit(range.limit))
}

/** The first and the last number of a range, and the ranges to leave out between them; undefined when there is nothing. */
export function boundsOf({
  first = 0,
  last = LAST_NUMBER,
  skipped,
}: LiveRange): [number, number, SqlValue] | undefined {
  const low = nextLive(skipped, Math.max(0, Math.ceil(first)))
  const high = previousLive(skipped, Math.min(LAST_NUMBER, Math.floor(last)))
  return low <= high ? [low, high, multirange(skipped)] : undefined
}

/** Ranges as a value of PostgreSQL's `int4multirange`: a row is left out when its number is in one of them. */
function multirange(ranges: readonly SeqRange[]): string {
  return `{${ranges.map(({ first, last }) => `[${first},${last}]`).join()}}`
}

/** The replaced ranges of a session, and nothing else of it: every search reads them. */
async function readReplaced(sql: Sql, no: number): Promise<readonly SeqRange[]> {
  const row = await sql.get<{ replaced: string }>('SELECT replaced FROM lcm_session WHERE no = $1', no)
  return toRanges(row?.replaced ?? '[]')
}
