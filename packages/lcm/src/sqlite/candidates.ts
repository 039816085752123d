import type { Sql } from '@palimpsest/sqlite-kit'
import { isReplaced } from '../history/replaced-ranges.ts'
import type { CandidateQuery, MessageCandidate, SummaryCandidate } from '../store/candidate-query.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { summaryText, unpackName } from '../store-kit/row-columns.ts'
import { type Match, matchMessages, matchSummaries } from './match-expression.ts'
import { readRows } from './read-rows.ts'
import { baseOf, numberOf } from './session-row.ts'

type MessageList = [id: number, role: string, at: number, text: string]
type SummaryList = [
  ...[id: number, depth: number, first: number, last: number, at: number],
  ...[exact: string | null, text: string],
]

/** Messages that may match. A forgotten one is left out: there is nothing in it to find. */
export function messageCandidates(
  sql: Sql,
  no: number,
  replaced: readonly SeqRange[],
  query: CandidateQuery,
): MessageCandidate[] {
  const searched = {
    table: 'message',
    match: matchMessages(query.where),
    columns: ['id', 'role', 'at', 'text'],
  }
  const skipped = query.includeReplaced === true ? [] : replaced
  return readMatching<MessageList>(sql, no, searched, query, skipped).map(([id, role, at, text]) => {
    const seq = numberOf(id)
    return { seq, role: unpackName(role), at, text, replaced: isReplaced(replaced, seq) }
  })
}

export function summaryCandidates(sql: Sql, no: number, query: CandidateQuery): SummaryCandidate[] {
  const columns = ['id', 'depth', 'first', 'last', 'at', 'exact_text', 'text']
  const searched = { table: 'summary', match: matchSummaries(query.where), columns }
  return readMatching<SummaryList>(sql, no, searched, query, []).map(
    ([id, depth, first, last, at, exact, text]) => ({
      ...{ number: numberOf(id), depth, first, last, at },
      text: summaryText({ exact_text: exact, text }),
    }),
  )
}

interface Searched {
  readonly table: string
  readonly match: Match | null
  readonly columns: readonly string[]
}

function readMatching<Row extends readonly [id: number, ...unknown[]]>(
  sql: Sql,
  no: number,
  { table, match, columns }: Searched,
  query: CandidateQuery,
  skipped: readonly SeqRange[],
): Row[] {
  const base = baseOf(no)
  const selected = columns.map((column) => `${table}.${column}`).join(', ')
  const direction = query.order === 'newest' ? 'DESC' : 'ASC'
  // The full-text table is read in the order of its row ids, and the rows are fetched one by one: it stops at the limit,
  // however many rows would match. A row id that is bound as a real number would not bound that, and a bare parameter as
  // the limit makes SQLite compile the statement anew each time, which takes longer than the query.
  const statement =
    match === null
      ? `SELECT ${selected} FROM ${table}
         WHERE id BETWEEN ? AND ? AND forgotten_at IS NULL ORDER BY id ${direction} LIMIT 0 + ?`
      : `SELECT ${selected}
         FROM ${match.table} AS hits CROSS JOIN ${table} ON ${table}.id = hits.rowid
         WHERE hits.${match.table} MATCH ? AND hits.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
         ORDER BY hits.rowid ${direction} LIMIT 0 + ?`
  const values = match === null ? [] : [match.expression]
  return readRows<Row>(
    query,
    skipped,
    ([id]) => numberOf(id),
    (first, last, limit) => sql.lists<Row>(statement, ...values, base + first, base + last, limit),
  )
}
