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
    return match === null ? rows : withUnindexed(sql, MESSAGES, query, rows, [first, last], limit)
  }).map(({ id, role, at, text }) => {
    const seq = numberOf(id)
    return { seq, role: unpackName(role), at, text, replaced: isReplaced(replaced, seq) }
  })
}

/** Rows that are read at a time: their texts are in memory. */
const PAGE_ROWS = 200

/** Rows with those between two row ids that match and that the full-text tables do not hold yet, in order, to the limit. */
function withUnindexed<Row extends { readonly id: number; readonly text: string }>(
  sql: Sql,
  { table, columns, filter, sign }: typeof MESSAGES,
  { where, order }: CandidateQuery,
  rows: Row[],
  [first, last, ...values]: readonly [first: number, last: number, ...values: number[]],
  limit: number,
): Row[] {
  const [low, high] = sign === '' ? [first, last] : [-last, -first]
  if (sql.get('SELECT id FROM unindexed WHERE id BETWEEN ? AND ? LIMIT 1', low, high) === undefined)
    return rows
  const isNewest = order === 'newest'
  const isFalling = isNewest === (sign === '')
  const statement = `SELECT ${columns.map((column) => `${table}.${column}`).join(', ')}
    FROM unindexed CROSS JOIN ${table} ON ${table}.id = ${sign}unindexed.id
    WHERE unindexed.id BETWEEN ? AND ? ${filter} ORDER BY unindexed.id ${isFalling ? 'DESC' : 'ASC'} LIMIT 0 + ?`
  const matches = createTermMatcher(where)
  const found: Row[] = []
  for (let [from, to] = [low, high]; found.length < limit; ) {
    const page = sql.all<Row>(statement, from, to, ...values, PAGE_ROWS)
    found.push(...page.filter(({ text }) => matches(text)))
    const end = page.at(-1)?.id
    if (end === undefined || page.length < PAGE_ROWS) break
    const at = sign === '' ? end : -end
    if (isFalling) to = at - 1
    else from = at + 1
  }
  const all = [...rows, ...found].sort((left, right) => left.id - right.id)
  return (isNewest ? all.reverse() : all).slice(0, limit)
}

export function summaryCandidates(sql: Sql, lineage: Lineage, query: CandidateQuery): SummaryCandidate[] {
  const match = matchSummaries(query.where)
  const statement = candidateStatement(SUMMARIES, match?.table, query.order)
  const values = match === null ? [] : [match.expression]
  return readRows(lineage, 'Summary', query, [], ({ lastSeq }, first, last, limit) => {
    const bounds = [first, last, lastSeq] as const
    const rows = sql.all<SummaryRow>(statement, ...values, ...bounds, limit)
    return match === null ? rows : withUnindexed(sql, SUMMARIES, query, rows, bounds, limit)
  }).map((row) => {
    const { id, depth, first, last, at } = row
    return { number: numberOf(id), depth, first, last, at, text: summaryText(row) }
  })
}

/** The columns read from the two tables, the condition that only summaries have, and the sign of a row that is not indexed yet. */
const MESSAGES = { table: 'message', columns: ['id', 'role', 'at', 'text'], filter: '', sign: '' }
const SUMMARIES = {
  table: 'summary',
  columns: ['id', 'depth', 'first', 'last', 'at', 'exact_text', 'text'],
  filter: 'AND last <= ?',
  sign: '-',
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
