import type { Sql } from '@palimpsest/sqlite-kit'
import type { FrontierReason } from '../store/frontier.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { SessionRow } from './session-row.ts'
import { insertVersion } from './session-row.ts'
import { anchorOf, anchorsAround } from './span-anchor.ts'
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

/** The frontier of a version that there is, at the cost of its own size too; see `anchorOf`. */
export function pastFrontier(sql: Sql, session: number, version: number): SummaryNode[] {
  const query = `SELECT ${SUMMARY_COLUMNS} FROM summary WHERE id = ?`
  return frontierIds(sql, session, version)
    .map((id) => sql.get<SummaryRow>(query, id))
    .filter((row) => row !== undefined)
    .map(toSummaryNode)
}

/** The row ids of the summaries of a version that there is. */
export function frontierIds(sql: Sql, session: number, version: number): number[] {
  return sql
    .all<{ summary: number }>(
      // SQLite would read every span that began before the version.
      `SELECT summary, first FROM span INDEXED BY span_current
       WHERE session = ? AND to_version IS NULL AND from_version <= ?
       UNION ALL
       SELECT summary, first FROM json_each(?) CROSS JOIN span INDEXED BY span_past
       WHERE session = ? AND anchor = value AND from_version <= ? AND to_version > ?
       ORDER BY first`,
      ...[session, version, JSON.stringify(anchorsAround(version)), session, version, version],
    )
    .map(({ summary }) => summary)
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
      sql.run(
        'UPDATE span SET to_version = ?, anchor = ? WHERE session = ? AND from_version = ? AND position = ?',
        ...[version, anchorOf(from, version - 1), no, from, position],
      )
    }
  }
  for (const [position, { id, first }] of frontier.entries()) {
    if (kept.has(id)) continue
    const add = 'INSERT INTO span (session, from_version, position, summary, first) VALUES (?, ?, ?, ?, ?)'
    sql.run(add, no, version, position, id, first)
  }
  return version
}
