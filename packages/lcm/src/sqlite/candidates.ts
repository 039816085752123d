import { isReplaced } from '../history/replaced-ranges.ts'
import type { CandidateQuery, MessageCandidate, SummaryCandidate } from '../store/candidate-query.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { type Lineage, readMessages, readSummaries } from './lineage.ts'
import { type Match, matchMessages, matchSummaries } from './match-expression.ts'
import type { MessageRow } from './message-rows.ts'
import { numberOf } from './row-ids.ts'
import type { Sql } from './sql.ts'
import { unpackName } from './stored-values.ts'
import type { SummaryRow } from './summary-rows.ts'

/** Messages of a lineage that may match. A forgotten one is left out: there is nothing in it to find. */
export function messageCandidates(
  sql: Sql,
  lineage: Lineage,
  replaced: readonly SeqRange[],
  query: CandidateQuery,
): MessageCandidate[] {
  const statement = candidateStatement(
    'message',
    'id, role, at, text',
    matchMessages(query.where),
    query.order,
  )
  type Row = Pick<MessageRow, 'id' | 'role' | 'at' | 'text'>
  const skipped = query.includeReplaced === true ? [] : replaced
  return readMessages(lineage, query, skipped, (_, first, last, limit) =>
    sql.all<Row>(statement.text, ...statement.values, first, last, limit),
  ).map(({ id, role, at, text }) => {
    const seq = numberOf(id)
    return { seq, role: unpackName(role), at, text, replaced: isReplaced(replaced, seq) }
  })
}

/** Summaries of a lineage that may match. */
export function summaryCandidates(sql: Sql, lineage: Lineage, query: CandidateQuery): SummaryCandidate[] {
  const columns = 'id, depth, first, last, at, exact_text, text'
  const statement = candidateStatement(
    'summary',
    columns,
    matchSummaries(query.where),
    query.order,
    'AND last <= ?',
  )
  return readSummaries(lineage, query, ({ lastSeq }, first, last, limit) =>
    sql.all<SummaryRow>(statement.text, ...statement.values, first, last, lastSeq, limit),
  ).map(({ id, depth, first, last, at, exact_text: exact, text }) => {
    return { number: numberOf(id), depth, first, last, at, text: exact === null ? text : unpackName(exact) }
  })
}

/**
 * The full-text table is read in the order of its row ids, and the rows are fetched one by one: it stops at the
 * limit, however many rows would match. A row id that is bound as a real number would not bound that.
 */
function candidateStatement(
  table: 'message' | 'summary',
  columns: string,
  match: Match | null,
  order: CandidateQuery['order'],
  filter = '',
): { text: string; values: string[] } {
  const direction = order === 'newest' ? 'DESC' : 'ASC'
  if (match === null) {
    const where = `id BETWEEN ? AND ? AND forgotten_at IS NULL ${filter}`
    return {
      text: `SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY id ${direction} LIMIT ?`,
      values: [],
    }
  }
  const fields = columns.replaceAll(/\w+/g, `${table}.$&`)
  return {
    text: `SELECT ${fields} FROM ${match.table} AS hits CROSS JOIN ${table} ON ${table}.id = hits.rowid
      WHERE hits.${match.table} MATCH ? AND hits.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ${filter}
      ORDER BY hits.rowid ${direction} LIMIT ?`,
    values: [match.expression],
  }
}
