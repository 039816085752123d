import type { Sql } from '@palimpsest/sqlite-kit'
import { isReplaced } from '../history/replaced-ranges.ts'
import { createTermMatcher } from '../search/find-term.ts'
import type { CandidateQuery, MessageCandidate, SummaryCandidate } from '../store/candidate-query.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import type { Lineage } from '../store-kit/lineage.ts'
import { summaryText } from '../store-kit/row-columns.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { readRows } from './lineage.ts'
import { matchMessages, matchSummaries } from './match-expression.ts'
import type { MessageRow } from './message-rows.ts'
import { numberOf } from './row-ids.ts'
import type { FullTextTable } from './schema.ts'
import type { SummaryRow } from './summary-rows.ts'

type Row = Pick<MessageRow, 'id' | 'role' | 'at' | 'text'>

/** Messages of a lineage that may match. A forgotten one is left out: there is nothing in it to find. */
export function messageCandidates(
  sql: Sql,
  lineage: Lineage,
  replaced: readonly SeqRange[],
  query: CandidateQuery,
): MessageCandidate[] {
  const match = matchMessages(query.where)
  const statement = candidateStatement(MESSAGES, match?.table, query.order)
  const values = match === null ? [] : [match.expression]
  const skipped = query.includeReplaced === true ? [] : replaced
  return readRows(lineage, 'Seq', query, skipped, (_, first, last, limit) => {
    const rows = sql.all<Row>(statement, ...values, first, last, limit)
    if (match === null) return rows
    const others = unindexedRows(sql, query, first, last, limit)
    return others.length === 0 ? rows : inOrder([...rows, ...others], query.order).slice(0, limit)
  }).map(({ id, role, at, text }) => {
    const seq = numberOf(id)
    return { seq, role: unpackName(role), at, text, replaced: isReplaced(replaced, seq) }
  })
}

/** Rows that are read at a time: their texts are in memory. */
const PAGE_ROWS = 200

/** Messages between two row ids that match and that the full-text tables do not hold yet. */
function unindexedRows(
  sql: Sql,
  { where, order }: CandidateQuery,
  first: number,
  last: number,
  limit: number,
): Row[] {
  const statement = `SELECT id, role, at, text FROM unindexed CROSS JOIN message USING (id)
    WHERE id BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY id ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT 0 + ?`
  const found: Row[] = []
  const matches = createTermMatcher(where)
  for (let [low, high] = [first, last]; found.length < limit; ) {
    const page = sql.all<Row>(statement, low, high, PAGE_ROWS)
    found.push(...page.filter(({ text }) => matches(text)))
    const end = page.at(-1)?.id
    if (end === undefined || page.length < PAGE_ROWS) break
    if (order === 'newest') high = end - 1
    else low = end + 1
  }
  return found
}

function inOrder(rows: Row[], order: CandidateQuery['order']): Row[] {
  return rows.sort((left, right) => (order === 'newest' ? right.id - left.id : left.id - right.id))
}

export function summaryCandidates(sql: Sql, lineage: Lineage, query: CandidateQuery): SummaryCandidate[] {
  const match = matchSummaries(query.where)
  const statement = candidateStatement(SUMMARIES, match?.table, query.order)
  const values = match === null ? [] : [match.expression]
  return readRows(lineage, 'Summary', query, [], ({ lastSeq }, first, last, limit) =>
    sql.all<SummaryRow>(statement, ...values, first, last, lastSeq, limit),
  ).map((row) => {
    const { id, depth, first, last, at } = row
    return { number: numberOf(id), depth, first, last, at, text: summaryText(row) }
  })
}

/** The columns read from the two tables, with the condition that only summaries have. */
const MESSAGES = { table: 'message', columns: ['id', 'role', 'at', 'text'], filter: '' }
const SUMMARIES = {
  table: 'summary',
  columns: ['id', 'depth', 'first', 'last', 'at', 'exact_text', 'text'],
  filter: 'AND last <= ?',
}

/** Statements by what they ask: putting one together takes longer than a search for a rare word. */
const statements = new Map<string, string>()

/**
 * The full-text table is read in the order of its row ids, and the rows are fetched one by one: it stops at the
 * limit, however many rows would match. A row id that is bound as a real number would not bound that, and a bare
 * parameter as the limit makes SQLite compile the statement anew each time, which takes longer than the query.
 */
function candidateStatement(
  { table, columns, filter }: typeof MESSAGES,
  index: FullTextTable | undefined,
  order: CandidateQuery['order'],
): string {
  const name = `${index ?? table} ${order}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const direction = order === 'newest' ? 'DESC' : 'ASC'
  const statement =
    index === undefined
      ? `SELECT ${columns.join(', ')} FROM ${table}
         WHERE id BETWEEN ? AND ? AND forgotten_at IS NULL ${filter} ORDER BY id ${direction} LIMIT 0 + ?`
      : `SELECT ${columns.map((column) => `${table}.${column}`).join(', ')}
         FROM ${index} AS hits CROSS JOIN ${table} ON ${table}.id = hits.rowid
         WHERE hits.${index} MATCH ? AND hits.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ${filter}
         ORDER BY hits.rowid ${direction} LIMIT 0 + ?`
  statements.set(name, statement)
  return statement
}
