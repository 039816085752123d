import type { CandidateQuery, MessageCandidate, SummaryCandidate } from '@palimpsest/lcm'
import {
  isReplaced,
  LAST_NUMBER,
  rowLimit,
  searchText,
  toRanges,
  unpackName,
} from '@palimpsest/lcm/store-kit'
import type { Sql, SqlValue } from '../database/sql.ts'
import { matchMessages, matchSummaries } from './match-conditions.ts'
import { boundsOf } from './message-rows.ts'
import type { SessionRow } from './session-row.ts'
import type { SummaryRow } from './summary-rows.ts'

/** The columns of a session that a search begins with. */
type SearchedSession = Pick<SessionRow, 'no' | 'replaced' | 'next_seq' | 'next_summary'>

/** Messages that may match. A forgotten one is left out: there is nothing in it to find. */
export async function messageCandidates(
  sql: Sql,
  session: SearchedSession,
  query: CandidateQuery,
): Promise<MessageCandidate[]> {
  type Row = Omit<MessageCandidate, 'replaced' | 'text'> & { readonly json: string }
  const replaced = toRanges(session.replaced)
  const skipped = query.includeReplaced === true ? [] : replaced
  const match = matchMessages(query.where, 5)
  const statement = `SELECT seq, role, at, json FROM lcm_message
    WHERE session = $1 AND seq BETWEEN $2 AND $3 AND forgotten_at IS NULL
      AND NOT seq <@ $5::int4multirange${match.text} ${inOrder('seq', query)}`
  const last = Math.min(query.last ?? LAST_NUMBER, session.next_seq - 1)
  const found = boundsOf({ ...query, last, skipped })
  if (found === undefined) return []
  const [low, high, left] = found
  const search = { statement, session, query, values: [left, ...match.values] }
  const rows = await readStepwise<Row>(sql, search, low, high)
  return rows.map(({ seq, role, at, json }) => {
    return { seq, role: unpackName(role), at, text: searchText(json), replaced: isReplaced(replaced, seq) }
  })
}

export async function summaryCandidates(
  sql: Sql,
  session: SearchedSession,
  query: CandidateQuery,
): Promise<SummaryCandidate[]> {
  const match = matchSummaries(query.where, 4)
  const statement = `SELECT number, depth, first, last, at, text FROM lcm_summary
    WHERE session = $1 AND number BETWEEN $2 AND $3 AND forgotten_at IS NULL${match.text}
    ${inOrder('number', query)}`
  const last = Math.min(query.last ?? LAST_NUMBER, session.next_summary - 1)
  const search = { statement, session, query, values: match.values }
  const rows = await readStepwise<SummaryRow>(sql, search, query.first ?? 0, last)
  return rows.map((row) => {
    const { number, depth, first, last, at } = row
    return { number, depth, first, last, at, text: unpackName(row.text) }
  })
}

/**
 * The plan must not bet on where in the history the matching rows are: with a plain order, the server walks back from
 * the newest row until it has enough of them, which is right for a common word and takes forever for a rare one.
 */
function inOrder(column: 'seq' | 'number', { order, where }: CandidateQuery): string {
  const by = where.length === 0 ? column : `${column} + 0`
  return `ORDER BY ${by} ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT $4`
}

/** Rows of the history that are searched first, and how many times more each further step has. */
const FIRST_STEP = 256
const GROWTH = 64

/**
 * Searches a range in steps that grow, from the end that comes first. A common word has its rows in the first step; a
 * rare one is looked for in an index, three times in a million rows.
 */
async function readStepwise<Row>(
  sql: Sql,
  search: {
    readonly statement: string
    readonly session: SearchedSession
    readonly query: CandidateQuery
    readonly values: readonly SqlValue[]
  },
  from: number,
  to: number,
): Promise<Row[]> {
  const { statement, session, query, values } = search
  let [low, high] = [from, to]
  let wanted = rowLimit(query.limit)
  const rows: Row[] = []
  for (let step = FIRST_STEP; low <= high && wanted > 0; step *= GROWTH) {
    const size = query.where.length === 0 ? high - low + 1 : step
    const [first, last] =
      query.order === 'newest'
        ? [Math.max(low, high - size + 1), high]
        : [low, Math.min(high, low + size - 1)]
    const batch = await sql.all<Row>(statement, session.no, first, last, wanted, ...values)
    rows.push(...batch)
    wanted -= batch.length
    if (query.order === 'newest') high = first - 1
    else low = last + 1
  }
  return rows
}
