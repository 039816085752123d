import { createPause } from '@palimpsest/core'
import type { Connection } from '@palimpsest/sqlite-kit'
import { isReplaced } from '../history/replaced-ranges.ts'
import { createTermMatcher } from '../search/find-term.ts'
import type { CandidateQuery } from '../store/candidate-query.ts'
import { type Lineage, segmentParts } from '../store-kit/lineage.ts'
import { baseOf } from './row-ids.ts'
import type { Searched } from './searched-rows.ts'

/** Rows that are read at a time: their texts are in memory. */
const PAGE_ROWS = 200

/**
 * Rows that match and that the full-text tables do not hold yet, in order, to the limit. Their texts are read and looked at in
 * slices. Who asks reads the tables after it: a row may get into them meanwhile.
 */
export async function readUnindexed<
  Row extends readonly unknown[],
  Candidate extends { readonly text: string },
>(
  connection: Connection,
  lineage: Lineage,
  { table, numbers, columns, filter, sign, toCandidate, numberOf, skipped }: Searched<Row, Candidate>,
  query: CandidateQuery,
): Promise<Candidate[]> {
  const found: Candidate[] = []
  const isFalling = (query.order === 'newest') === (sign === '')
  const statement = `SELECT ${columns}
    FROM unindexed CROSS JOIN ${table} ON ${table}.id = ${sign}unindexed.id
    WHERE unindexed.id BETWEEN ? AND ? ${filter} ORDER BY unindexed.id ${isFalling ? 'DESC' : 'ASC'} LIMIT 0 + ?`
  const matches = createTermMatcher(query.where)
  const pause = createPause()
  const { parts, limit } = segmentParts(lineage, query, numbers)
  for (const { segment, first, last } of parts) {
    const idOf = (number: number) => (sign === '' ? 1 : -1) * (baseOf(segment.session) + number)
    let [from, to] = sign === '' ? [idOf(first), idOf(last)] : [idOf(last), idOf(first)]
    const values = filter === '' ? [] : [segment.lastSeq]
    for (let isMore = true; isMore && found.length < limit; await pause()) {
      const rows = await connection.direct((sql) => sql.lists<Row>(statement, from, to, ...values, PAGE_ROWS))
      const page = rows.map(toCandidate)
      found.push(...page.filter((row) => matches(row.text) && !isReplaced(skipped, numberOf(row))))
      const end = page.at(-1)
      isMore = end !== undefined && page.length === PAGE_ROWS
      if (end === undefined) break
      if (isFalling) to = idOf(numberOf(end)) - 1
      else from = idOf(numberOf(end)) + 1
    }
  }
  return found
}
