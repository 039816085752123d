import type { Connection, Sql } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { FrontierVersion } from '../store/frontier.ts'
import type { SessionRef } from '../store/lcm-store.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { type MessageRow, toStoredMessage } from './message-rows.ts'
import { baseOf, numberOf } from './row-ids.ts'
import { findSession, readSession, replacedOf, type SessionRow } from './session-row.ts'
import { SUMMARY_COLUMNS, type SummaryRow, toSummaryNode } from './summary-rows.ts'

/** Rows that are read at a time. */
const PAGE_ROWS = 200

/**
 * What a session holds of its own, as records. It is the session of the moment of the first record: what is written
 * while it is read stays out.
 */
export async function* dumpSession(
  connection: Connection,
  ref: Required<SessionRef>,
): AsyncGenerator<DumpRecord> {
  const { session, record } = await connection.read((sql) => {
    const session = findSession(sql, ref)
    if (session === undefined) throw new StoreError('NOT_FOUND', `there is no session ${ref.key}`)
    return { session, record: sessionRecord(sql, session) }
  })
  yield record
  yield* readMessages(connection, session)
  yield* readSummaries(connection, session)
  yield* readVersions(connection, session)
}

/** The first record of a session. */
export function sessionRecord(sql: Sql, row: SessionRow): Extract<DumpRecord, { type: 'session' }> {
  const parent = row.parent === null ? undefined : readSession(sql, row.parent)
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

async function* readMessages(connection: Connection, row: SessionRow): AsyncGenerator<DumpRecord> {
  const base = baseOf(row.no)
  const query = 'SELECT * FROM message WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?'
  yield* readPages(row.fork_seq, row.next_seq - 1, async (first, last) => {
    const rows = await connection.read((sql) =>
      sql.all<MessageRow>(query, base + first, base + last, PAGE_ROWS),
    )
    return rows.map((message): [number, DumpRecord] => {
      const { replaced: _, ...stored } = toStoredMessage(message, [])
      return [numberOf(message.id), { type: 'message', ...stored }]
    })
  })
}

async function* readSummaries(connection: Connection, row: SessionRow): AsyncGenerator<DumpRecord> {
  const base = baseOf(row.no)
  const query = `SELECT ${SUMMARY_COLUMNS} FROM summary WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`
  yield* readPages(row.fork_summary, row.next_summary - 1, async (first, last) => {
    const rows = await connection.read((sql) =>
      sql.all<SummaryRow>(query, base + first, base + last, PAGE_ROWS),
    )
    return rows.map((summary): [number, DumpRecord] => [
      numberOf(summary.id),
      { type: 'summary', ...toSummaryNode(summary) },
    ])
  })
}

/** Versions with the summaries of each, which are the ones before with what changed. */
async function* readVersions(connection: Connection, row: SessionRow): AsyncGenerator<DumpRecord> {
  type Span = {
    readonly from_version: number
    readonly to_version: number | null
    readonly first: number
    readonly summary: number
  }
  let active: Span[] = []
  const query = 'SELECT * FROM version WHERE session = ? AND version BETWEEN ? AND ? ORDER BY version LIMIT ?'
  const spanQuery = 'SELECT * FROM span WHERE session = ? AND from_version BETWEEN ? AND ?'
  yield* readPages(0, row.version, async (first, last) => {
    const { versions, spans } = await connection.read((sql) => {
      type Row = Omit<FrontierVersion, 'nextSeq'> & { readonly next_seq: number }
      const versions = sql.all<Row>(query, row.no, first, last, PAGE_ROWS)
      const end = versions.at(-1)?.version ?? first
      return { versions, spans: sql.all<Span>(spanQuery, row.no, first, end) }
    })
    return versions.map(({ version, reason, next_seq: nextSeq, at }): [number, DumpRecord] => {
      active = [...active, ...spans.filter((span) => span.from_version === version)]
        .filter(({ to_version: to }) => to === null || to > version)
        .sort((left, right) => left.first - right.first)
      const summaries = active.map(({ summary }) => numberOf(summary))
      return [version, { type: 'frontier', version, reason, nextSeq, at, summaries }]
    })
  })
}

async function* readPages(
  first: number,
  last: number,
  read: (first: number, last: number) => Promise<(readonly [number, DumpRecord])[]>,
): AsyncGenerator<DumpRecord> {
  for (let next = first; next <= last; ) {
    const page = await read(next, last)
    for (const [number, record] of page) {
      yield record
      next = number + 1
    }
    if (page.length < PAGE_ROWS) return
  }
}
