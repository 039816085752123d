import type { LcmSession, MessageQuery, SeqRange, StoredMessage } from '@palimpsest/lcm'
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

/** Only their numbers and hashes. */
export async function readHashes(
  sql: Sql,
  no: number,
  lineage: Lineage,
  range: Parameters<LcmSession['hashes']>[0],
): Promise<{ readonly seq: number; readonly hash: string }[]> {
  const replaced = await readReplaced(sql, no)
  const query = rangeQuery('seq, hash', 'oldest')
  const rows = await readMessages(lineage, range, replaced, ({ session }, ...bounds) =>
    sql.all<Pick<MessageRow, 'seq' | 'hash'>>(query, session, ...bounds, multirange(replaced)),
  )
  return rows.map(({ seq, hash }) => ({ seq, hash: hashOf(hash) }))
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
