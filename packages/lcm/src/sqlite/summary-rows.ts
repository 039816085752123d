import { insertRow, type Sql } from '@palimpsest/sqlite-kit'
import type { SummaryNode } from '../store/summary-node.ts'
import { type Lineage, summarySegment } from '../store-kit/lineage.ts'
import { type SummaryColumns, summaryColumns, toSummaryNode } from '../store-kit/row-columns.ts'
import { packHash, unpackHash } from '../store-kit/stored-values.ts'
import { indexSummary } from './index-text.ts'
import { baseOf, numberOf } from './row-ids.ts'

/** A summary as a query of `SUMMARY_COLUMNS` gives it. */
export interface SummaryRow extends SummaryColumns {
  readonly id: number
  readonly hash: string | Uint8Array
  /** JSON of row ids. */
  readonly children: string
}

/** The columns of `SummaryRow`, for a query on the table `summary`. */
export const SUMMARY_COLUMNS = `summary.*, (SELECT json_group_array(child ORDER BY position) FROM edge
  WHERE edge.summary = summary.id) AS children`

/**
 * Writes summaries, their edges, and what is searched of them: with `indexLater` that is left to `indexNext`. Their children must
 * be there, see `checkNewSummaries`.
 */
export function insertSummaries(
  sql: Sql,
  base: number,
  lineage: Lineage,
  nodes: readonly SummaryNode[],
  indexLater: boolean,
): void {
  const rows = nodes.map((node) => ({ node, id: base + node.number, columns: summaryColumns(node) }))
  for (const { node, id, columns } of rows) {
    insertRow(sql, 'summary', { id, hash: packHash(node.hash), ...columns })
    for (const [position, child] of node.children.entries()) {
      const segment = summarySegment(lineage, child)
      insertRow(sql, 'edge', {
        summary: id,
        position,
        child: segment === undefined ? null : baseOf(segment.session) + child,
      })
    }
  }
  // Behind all rows: before a row that others refer to, SQLite brings the full-text indexes to the file.
  for (const { id, columns } of rows)
    if (indexLater) sql.run('INSERT INTO unindexed (id) VALUES (?)', -id)
    else indexSummary(sql, id, columns.text)
}

/** The range of a summary of a lineage; undefined when the lineage has none of that number. */
export function findCover(
  sql: Sql,
  lineage: Lineage,
  number: number,
): Pick<SummaryRow, 'id' | 'first' | 'last' | 'messages'> | undefined {
  return findRow(sql, lineage, number, 'id, first, last, messages')
}

/** A summary of a lineage by its number; undefined when the lineage has none. */
export function readSummary(sql: Sql, lineage: Lineage, number: number): SummaryNode | undefined {
  const row = findRow(sql, lineage, number, SUMMARY_COLUMNS)
  return row && toNode(row)
}

/** Messages behind a fork are not shared. */
function findRow(sql: Sql, lineage: Lineage, number: number, columns: string): SummaryRow | undefined {
  const segment = summarySegment(lineage, number)
  const query = `SELECT ${columns} FROM summary WHERE id = ? AND last <= ?`
  return segment && sql.get<SummaryRow>(query, baseOf(segment.session) + number, segment.lastSeq)
}

/** A row as a session gives it out. */
export function toNode(row: SummaryRow): SummaryNode {
  const children = (JSON.parse(row.children) as number[]).map(numberOf)
  return toSummaryNode(row, { number: numberOf(row.id), hash: unpackHash(row.hash), children })
}
