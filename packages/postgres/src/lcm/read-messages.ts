import {
  hashMessage,
  type LcmSession,
  type MessageQuery,
  type SeqRange,
  type StoredMessage,
} from '@palimpsest/lcm'
import { type Lineage, toRanges } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { hashOf } from './hash-bytes.ts'
import { multirange, readMessages } from './lineage.ts'
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from './message-rows.ts'

/** Messages of a session and of what it shares, in order. */
export async function readStoredMessages(
  sql: Sql,
  no: number,
  lineage: Lineage,
  { includeReplaced = false, order = 'oldest', ...range }: MessageQuery,
): Promise<StoredMessage[]> {
  const replaced = await readReplaced(sql, no)
  const skipped = includeReplaced ? [] : replaced
  const query = rangeQuery(MESSAGE_COLUMNS, order)
  const rows = await readMessages(lineage, { ...range, order }, skipped, ({ session }, ...bounds) =>
    sql.all<MessageRow>(query, session, ...bounds, multirange(skipped)),
  )
  return rows.map((row) => toMessage(row, replaced))
}

/** By hash: a database that is elsewhere sends 32 bytes for a message. */
export async function compareMessages(
  sql: Sql,
  no: number,
  lineage: Lineage,
  ...[seqs, messages]: Parameters<LcmSession['compare']>
): Promise<boolean[]> {
  const [first, last] = [seqs[0], seqs.at(-1)]
  if (first === undefined || last === undefined) return []
  const replaced = await readReplaced(sql, no)
  const query = rangeQuery('seq, hash', 'oldest')
  const range = { first, last, limit: last - first + 1 }
  const rows = await readMessages(lineage, range, replaced, ({ session }, ...bounds) =>
    sql.all<Pick<MessageRow, 'seq' | 'hash'>>(query, session, ...bounds, multirange(replaced)),
  )
  const hashes = new Map(rows.map(({ seq, hash }) => [seq, hashOf(hash)]))
  return messages.map((message, index) => hashes.get(seqs[index] ?? -1) === hashMessage(message))
}

function rangeQuery(columns: string, order: 'newest' | 'oldest'): string {
  return `SELECT ${columns} FROM lcm_message
    WHERE session = $1 AND seq BETWEEN $2 AND $3 AND NOT seq <@ $5::int4multirange
    ORDER BY seq ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT $4`
}

/** The replaced ranges of a session, and nothing else of it: every search reads them. */
async function readReplaced(sql: Sql, no: number): Promise<readonly SeqRange[]> {
  const row = await sql.get<{ replaced: string }>('SELECT replaced FROM lcm_session WHERE no = $1', no)
  return toRanges(row?.replaced ?? '[]')
}
