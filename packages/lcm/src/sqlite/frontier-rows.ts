import type { FrontierReason } from '../store/frontier.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { SessionRow } from './session-row.ts'
import { insertVersion } from './session-row.ts'
import type { Sql } from './sql.ts'
import { SUMMARY_COLUMNS, type SummaryRow, toSummaryNode } from './summary-rows.ts'

/** A summary on a frontier, for who writes it. */
export interface FrontierEntry {
  readonly id: number
  readonly first: number
}

/** The current frontier, at the cost of its own size. */
export function currentFrontier(sql: Sql, session: number): SummaryNode[] {
  return sql
    .all<SummaryRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM span JOIN summary ON summary.id = span.summary
       WHERE session = ? AND to_version IS NULL ORDER BY span.first`,
      session,
    )
    .map(toSummaryNode)
}

/** The frontier of a version that there is. */
export function pastFrontier(sql: Sql, session: number, version: number): SummaryNode[] {
  return sql
    .all<SummaryRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM span JOIN summary ON summary.id = span.summary
       WHERE session = ? AND from_version <= ? AND (to_version IS NULL OR to_version > ?) ORDER BY span.first`,
      ...[session, version, version],
    )
    .map(toSummaryNode)
}

/** Makes a list of summaries the next version of the frontier. Writes only what changes. */
export function writeVersion(
  sql: Sql,
  { no, version: before }: Pick<SessionRow, 'no' | 'version'>,
  row: { reason: FrontierReason; nextSeq: number; at: number },
  frontier: readonly FrontierEntry[],
): number {
  const version = before + 1
  insertVersion(sql, no, { ...row, version })
  const current = sql.all<{ summary: number; from_version: number; position: number }>(
    'SELECT summary, from_version, position FROM span WHERE session = ? AND to_version IS NULL',
    no,
  )
  const wanted = new Set(frontier.map(({ id }) => id))
  const kept = new Set<number>()
  for (const { summary, from_version: from, position } of current) {
    if (wanted.has(summary)) kept.add(summary)
    else {
      const end = 'UPDATE span SET to_version = ? WHERE session = ? AND from_version = ? AND position = ?'
      sql.run(end, version, no, from, position)
    }
  }
  for (const [position, { id, first }] of frontier.entries()) {
    if (kept.has(id)) continue
    const add = 'INSERT INTO span (session, from_version, position, summary, first) VALUES (?, ?, ?, ?, ?)'
    sql.run(add, no, version, position, id, first)
  }
  return version
}
