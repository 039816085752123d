import type { Connection, Sql } from '@palimpsest/sqlite-kit'
import type { CandidateQuery } from '../store/candidate-query.ts'
import type { Lineage } from '../store-kit/lineage.ts'
import { rowLimit } from '../store-kit/row-numbers.ts'
import { isBehind } from './index-later.ts'
import { readRows } from './lineage.ts'
import { numberOf } from './row-ids.ts'
import type { FullTextTable } from './schema.ts'
import { columnsOf, type Searched } from './searched-rows.ts'
import { readUnindexed } from './unindexed-rows.ts'

/** Rows of a lineage that may match. A forgotten one is left out: there is nothing in it to find. */
export async function readCandidates<
  Row extends readonly unknown[],
  Candidate extends { readonly text: string },
>(
  connection: Connection,
  lineage: Lineage,
  searchedOf: (sql: Sql) => Searched<Row, Candidate>,
  query: CandidateQuery,
): Promise<Candidate[]> {
  const { searched, rows } = await connection.direct((sql) => {
    const searched = searchedOf(sql)
    const isPartial = isBehind(sql) && searched.match(query.where) !== null
    return { searched, rows: isPartial ? null : readIndexed(sql, lineage, searched, query) }
  })
  if (rows !== null) return rows
  const waiting = await readUnindexed(connection, lineage, searched, query)
  const indexed = await connection.direct((sql) => readIndexed(sql, lineage, searched, query))
  const all = new Map([...indexed, ...waiting].map((row) => [searched.numberOf(row), row]))
  const sorted = [...all].sort(([left], [right]) => left - right).map(([, row]) => row)
  return (query.order === 'newest' ? sorted.reverse() : sorted).slice(0, rowLimit(query.limit))
}

function readIndexed<Row extends readonly unknown[], Candidate>(
  sql: Sql,
  lineage: Lineage,
  searched: Searched<Row, Candidate>,
  query: CandidateQuery,
): Candidate[] {
  const match = searched.match(query.where)
  const { numbers, filter, known, skipped, toCandidate } = searched
  const isPartlyKnown = match !== null && known !== undefined && known.size > 0
  const asked = isPartlyKnown ? { ...searched, columns: columnsOf(searched.table, 'id') } : searched
  const statement = candidateStatement(asked, match?.table, query.order)
  const values = match === null ? [] : [match.expression]
  return readRows(lineage, numbers, query, skipped, searched.numberOf, (segment, first, last, limit) => {
    const bounds = filter === '' ? [first, last] : [first, last, segment.lastSeq]
    const rows = sql.lists<Row>(statement, ...values, ...bounds, limit)
    return isPartlyKnown ? readUnknown(sql, searched, known, rows) : rows.map(toCandidate)
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
  const statement = `SELECT ${columns}
    FROM json_each(?) AS wanted CROSS JOIN ${table} ON ${table}.id = wanted.value`
  const rows = sql.lists<Row>(statement, JSON.stringify(unknown)).map(toCandidate)
  const read = new Map(rows.map((row) => [numberIn(row), row]))
  return numbers.flatMap((number) => known.get(number) ?? read.get(number) ?? [])
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
  const name = `${index ?? table} ${order} ${columns}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const direction = order === 'newest' ? 'DESC' : 'ASC'
  const statement =
    index === undefined
      ? `SELECT ${columns} FROM ${table}
         WHERE id BETWEEN ? AND ? AND forgotten_at IS NULL ${filter} ORDER BY id ${direction} LIMIT 0 + ?`
      : `SELECT ${columns}
         FROM ${index} AS hits CROSS JOIN ${table} ON ${table}.id = hits.rowid
         WHERE hits.${index} MATCH ? AND hits.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ${filter}
         ORDER BY hits.rowid ${direction} LIMIT 0 + ?`
  statements.set(name, statement)
  return statement
}
