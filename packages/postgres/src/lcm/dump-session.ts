import { type DumpRecord, type SessionRef, StoreError } from '@palimpsest/lcm'
import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import type { FrontierRow } from './frontier-rows.ts'
import { MESSAGE_COLUMNS, type MessageRow, toStoredMessage } from './message-rows.ts'
import { findSession, readSession, replacedOf, type SessionRow } from './session-row.ts'
import { type SummaryRow, toSummaryNode } from './summary-rows.ts'

/** Rows that are read at a time. */
const PAGE_ROWS = 200

/**
 * What a session holds of its own, as records. It is the session of the moment of the first record: what is written
 * while it is read stays out.
 */
export async function* dumpSession(
  database: Database,
  ref: Required<SessionRef>,
): AsyncGenerator<DumpRecord> {
  const scope = { principal: packName(ref.principal) }
  const { session, record } = await database.read(scope, async (sql) => {
    const session = await findSession(sql, ref)
    if (session === undefined) throw new StoreError('NOT_FOUND', `there is no session ${ref.key}`)
    return { session, record: await sessionRecord(sql, session) }
  })
  yield record
  const { no, fork_seq: seq, next_seq: nextSeq, fork_summary: summary, next_summary: nextSummary } = session
  const pages = <Row>(query: string, first: number, last: number, numberOf: (row: Row) => number) =>
    readPages<Row>(first, last, numberOf, (...bounds) =>
      database.read(scope, (sql) => sql.all<Row>(query, no, ...bounds, PAGE_ROWS)),
    )
  for await (const row of pages<MessageRow>(MESSAGES, seq, nextSeq - 1, (row) => row.seq)) {
    const { replaced: _, ...stored } = toStoredMessage(row, [])
    yield { type: 'message', ...stored }
  }
  for await (const row of pages<SummaryRow>(SUMMARIES, summary, nextSummary - 1, (row) => row.number))
    yield { type: 'summary', ...toSummaryNode(row) }
  for await (const row of pages<FrontierRow>(FRONTIERS, 0, session.version, (row) => row.version))
    yield frontierRecord(row)
}

/** Rows of a session between two numbers, both inclusive. */
export const MESSAGES = `SELECT ${MESSAGE_COLUMNS} FROM lcm_message
  WHERE session = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT $4`
export const SUMMARIES = `SELECT * FROM lcm_summary
  WHERE session = $1 AND number BETWEEN $2 AND $3 ORDER BY number LIMIT $4`
export const FRONTIERS = `SELECT * FROM lcm_frontier
  WHERE session = $1 AND version BETWEEN $2 AND $3 ORDER BY version LIMIT $4`

/** The first record of a session. */
export async function sessionRecord(
  sql: Sql,
  row: SessionRow,
): Promise<Extract<DumpRecord, { type: 'session' }>> {
  const parent = row.parent === null ? undefined : await readSession(sql, row.parent)
  return {
    type: 'session',
    ...{ principal: unpackName(row.principal), key: unpackName(row.key), createdAt: row.created_at },
    ...(parent !== undefined && {
      parent: { key: unpackName(parent.key), seq: row.fork_seq, summary: row.fork_summary },
    }),
    ...{ nextSeq: row.next_seq, nextSummary: row.next_summary, version: row.version },
    replaced: replacedOf(row),
  }
}

/** A version as a record. */
export function frontierRecord(row: FrontierRow): Extract<DumpRecord, { type: 'frontier' }> {
  const { version, reason, next_seq: nextSeq, at, summaries } = row
  return { type: 'frontier', version, reason, nextSeq, at, summaries: [...summaries] }
}

async function* readPages<Row>(
  first: number,
  last: number,
  numberOf: (row: Row) => number,
  read: (first: number, last: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let next = first; next <= last; ) {
    const page = await read(next, last)
    yield* page
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE_ROWS) return
    next = numberOf(end) + 1
  }
}
