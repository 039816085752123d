import type { Sql } from '@palimpsest/sqlite-kit'
import { isReplaced } from '../history/replaced-ranges.ts'
import { createTermMatcher } from '../search/find-term.ts'
import type { CandidateQuery, MessageCandidate, SummaryCandidate } from '../store/candidate-query.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import type { Lineage } from '../store-kit/lineage.ts'
import { summaryText } from '../store-kit/row-columns.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { readRows } from './lineage.ts'
import { type Match, matchMessages, matchSummaries } from './match-expression.ts'
import { baseOf, numberOf } from './row-ids.ts'
import type { FullTextTable } from './schema.ts'

/** A table that is searched, and what is read of it. */
interface Searched<Row extends readonly unknown[], Candidate> {
  readonly table: 'message' | 'summary'
  readonly numbers: 'Seq' | 'Summary'
  readonly columns: readonly string[]
  /** A condition that only summaries have. */
  readonly filter: string
  /** The sign of a row that is not indexed yet. */
  readonly sign: '' | '-'
  readonly toCandidate: (row: Row) => Candidate
  readonly numberOf: (candidate: Candidate) => number
  /** Rows that who asks has, by their numbers. */
  readonly known?: ReadonlyMap<number, Candidate> | undefined
}

type MessageList = [id: number, role: string, at: number, text: string]
type SummaryList = [
  ...[id: number, depth: number, first: number, last: number, at: number],
  ...[exact: string | null, text: string],
]

const SUMMARIES: Searched<SummaryList, SummaryCandidate> = {
  table: 'summary',
  numbers: 'Summary',
  columns: ['id', 'depth', 'first', 'last', 'at', 'exact_text', 'text'],
  filter: 'AND last <= ?',
  sign: '-',
  toCandidate: ([id, depth, first, last, at, exact, text]) => ({
    ...{ number: numberOf(id), depth, first, last, at },
    text: summaryText({ exact_text: exact, text }),
  }),
  numberOf: ({ number }) => number,
}

const messagesOf = (
  replaced: readonly SeqRange[],
  known: CandidateQuery['known'],
): Searched<MessageList, MessageCandidate> => ({
  table: 'message',
  numbers: 'Seq',
  columns: ['id', 'role', 'at', 'text'],
  filter: '',
  sign: '',
  toCandidate: ([id, role, at, text]) => {
    const seq = numberOf(id)
    return { seq, role: unpackName(role), at, text, replaced: isReplaced(replaced, seq) }
  },
  numberOf: ({ seq }) => seq,
  known,
})

/** Messages of a lineage that may match. A forgotten one is left out: there is nothing in it to find. */
export function messageCandidates(
  sql: Sql,
  lineage: Lineage,
  replaced: readonly SeqRange[],
  query: CandidateQuery,
): MessageCandidate[] {
  const skipped = query.includeReplaced === true ? [] : replaced
  return readCandidates(
    sql,
    lineage,
    messagesOf(replaced, query.known),
    matchMessages(query.where),
    query,
    skipped,
  )
}

export function summaryCandidates(sql: Sql, lineage: Lineage, query: CandidateQuery): SummaryCandidate[] {
  return readCandidates(sql, lineage, SUMMARIES, matchSummaries(query.where), query, [])
}

function readCandidates<Row extends readonly unknown[], Candidate extends { readonly text: string }>(
  sql: Sql,
  lineage: Lineage,
  searched: Searched<Row, Candidate>,
  match: Match | null,
  query: CandidateQuery,
  skipped: readonly SeqRange[],
): Candidate[] {
  const { numbers, filter, known, toCandidate } = searched
  const isPartlyKnown = match !== null && known !== undefined && known.size > 0
  const asked = isPartlyKnown ? { ...searched, columns: ['id'] } : searched
  const statement = candidateStatement(asked, match?.table, query.order)
  const values = match === null ? [] : [match.expression]
  return readRows(lineage, numbers, query, skipped, searched.numberOf, (segment, first, last, limit) => {
    const bounds = filter === '' ? [first, last] : [first, last, segment.lastSeq]
    const found = sql.lists<Row>(statement, ...values, ...bounds, limit)
    const rows = isPartlyKnown ? readUnknown(sql, searched, known, found) : found.map(toCandidate)
    if (match === null) return rows
    return withUnindexed(sql, searched, query, rows, { bounds, base: baseOf(segment.session), limit })
  })
}

/** The rows with some ids, in their order. Those that are known are not read. */
function readUnknown<Row extends readonly unknown[], Candidate>(
  sql: Sql,
  { table, columns, toCandidate, numberOf: numberIn }: Searched<Row, Candidate>,
  known: ReadonlyMap<number, Candidate>,
  ids: readonly (readonly unknown[])[],
): Candidate[] {
  const numbers = ids.map(([id]) => numberOf(id as number))
  const unknown = ids.flatMap(([id], index) => (known.has(numbers[index] ?? -1) ? [] : [id]))
  const statement = `SELECT ${columns.map((column) => `${table}.${column}`).join(', ')}
    FROM json_each(?) AS wanted CROSS JOIN ${table} ON ${table}.id = wanted.value`
  const rows = sql.lists<Row>(statement, JSON.stringify(unknown)).map(toCandidate)
  const read = new Map(rows.map((row) => [numberIn(row), row]))
  return numbers.flatMap((number) => known.get(number) ?? read.get(number) ?? [])
}

/** Rows that are read at a time: their texts are in memory. */
const PAGE_ROWS = 200

/** Rows with those within the bounds that match and that the full-text tables do not hold yet, in order, to the limit. */
function withUnindexed<Row extends readonly unknown[], Candidate extends { readonly text: string }>(
  sql: Sql,
  { table, columns, filter, sign, toCandidate, numberOf }: Searched<Row, Candidate>,
  { where, order }: CandidateQuery,
  rows: Candidate[],
  range: { readonly bounds: readonly number[]; readonly base: number; readonly limit: number },
): Candidate[] {
  const { base, limit } = range
  const [first = 0, last = 0, ...values] = range.bounds
  const [low, high] = sign === '' ? [first, last] : [-last, -first]
  if (sql.get('SELECT id FROM unindexed WHERE id BETWEEN ? AND ? LIMIT 1', low, high) === undefined)
    return rows
  const isNewest = order === 'newest'
  const isFalling = isNewest === (sign === '')
  const statement = `SELECT ${columns.map((column) => `${table}.${column}`).join(', ')}
    FROM unindexed CROSS JOIN ${table} ON ${table}.id = ${sign}unindexed.id
    WHERE unindexed.id BETWEEN ? AND ? ${filter} ORDER BY unindexed.id ${isFalling ? 'DESC' : 'ASC'} LIMIT 0 + ?`
  const matches = createTermMatcher(where)
  const found: Candidate[] = []
  for (let [from, to] = [low, high]; found.length < limit; ) {
    const page = sql.lists<Row>(statement, from, to, ...values, PAGE_ROWS).map(toCandidate)
    found.push(...page.filter(({ text }) => matches(text)))
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE_ROWS) break
    const id = base + numberOf(end)
    const at = sign === '' ? id : -id
    if (isFalling) to = at - 1
    else from = at + 1
  }
  const all = [...rows, ...found].sort((left, right) => numberOf(left) - numberOf(right))
  return (isNewest ? all.reverse() : all).slice(0, limit)
}

/** Statements by what they ask: putting one together takes longer than a search for a rare word. */
const statements = new Map<string, string>()

/**
 * The full-text table is read in the order of its row ids, and the rows are fetched one by one: it stops at the
 * limit, however many rows would match. A row id that is bound as a real number would not bound that, and a bare
 * parameter as the limit makes SQLite compile the statement anew each time, which takes longer than the query.
 */
function candidateStatement(
  { table, columns, filter }: Pick<Searched<never, never>, 'table' | 'columns' | 'filter'>,
  index: FullTextTable | undefined,
  order: CandidateQuery['order'],
): string {
  const name = `${index ?? table} ${order} ${columns.length}`
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
