import type { Sql } from '@palimpsest/sqlite-kit'
import type { FrontierVersion } from '../store/frontier.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { Lineage } from '../store-kit/lineage.ts'
import { rowLimit } from '../store-kit/row-numbers.ts'
import type { StoredFrontier } from '../store-kit/stored-session.ts'
import { numberOf } from './row-ids.ts'
import { anchorOf, anchorsAround } from './span-anchor.ts'
import { findCover, SUMMARY_COLUMNS, type SummaryRow, toNode } from './summary-rows.ts'

/** The current frontier, at the cost of its own size. */
export function currentFrontier(sql: Sql, session: number): SummaryNode[] {
  return sql
    .all<SummaryRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM span JOIN summary ON summary.id = span.summary
       WHERE session = ? AND to_version IS NULL ORDER BY span.first`,
      session,
    )
    .map(toNode)
}

/** The frontier of a version, at the cost of its own size too, see `anchorOf`; undefined when there is none. */
export function pastFrontier(sql: Sql, session: number, version: number): SummaryNode[] | undefined {
  const there = 'SELECT 1 FROM version WHERE session = ? AND version = ?'
  if (typeof version !== 'number' || sql.get(there, session, version) === undefined) return undefined
  const query = `SELECT ${SUMMARY_COLUMNS} FROM summary WHERE id = ?`
  return frontierIds(sql, session, version)
    .map((id) => sql.get<SummaryRow>(query, id))
    .filter((row) => row !== undefined)
    .map(toNode)
}

/** The row ids of the summaries of a version that there is. */
function frontierIds(sql: Sql, session: number, version: number): number[] {
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

type VersionRow = Omit<FrontierVersion, 'nextSeq'> & { readonly next_seq: number }

/** Versions below another one, from the newest to the oldest. */
export function readVersions(sql: Sql, session: number, before: number, limit: number): FrontierVersion[] {
  const query = 'SELECT * FROM version WHERE session = ? AND version < ? ORDER BY version DESC LIMIT 0 + ?'
  return sql.all<VersionRow>(query, session, before, rowLimit(limit)).map(toVersion)
}

/** Versions between two numbers, both inclusive, with their summaries. */
export function readFrontiers(
  sql: Sql,
  session: number,
  { first, last, limit }: { readonly first: number; readonly last: number; readonly limit: number },
): StoredFrontier[] {
  const query =
    'SELECT * FROM version WHERE session = ? AND version BETWEEN ? AND ? ORDER BY version LIMIT 0 + ?'
  return sql.all<VersionRow>(query, session, first, last, limit).map((row) => ({
    ...toVersion(row),
    summaries: frontierIds(sql, session, row.version).map(numberOf),
  }))
}

function toVersion({ version, reason, next_seq: nextSeq, at }: VersionRow): FrontierVersion {
  return { version, reason, nextSeq, at }
}

/** Puts a version behind the last one. It costs what changes from the one before it. */
export function writeFrontier(sql: Sql, session: number, lineage: Lineage, frontier: StoredFrontier): void {
  insertVersion(sql, session, frontier)
  const { version, summaries } = frontier
  const current = sql.all<{ summary: number; from_version: number; position: number }>(
    'SELECT summary, from_version, position FROM span WHERE session = ? AND to_version IS NULL',
    session,
  )
  const covers = summaries
    .map((number) => findCover(sql, lineage, number))
    .filter((cover) => cover !== undefined)
  const wanted = new Set(covers.map(({ id }) => id))
  const kept = new Set<number>()
  for (const { summary, from_version: from, position } of current) {
    if (wanted.has(summary)) kept.add(summary)
    else {
      sql.run(
        'UPDATE span SET to_version = ?, anchor = ? WHERE session = ? AND from_version = ? AND position = ?',
        ...[version, anchorOf(from, version - 1), session, from, position],
      )
    }
  }
  const add = 'INSERT INTO span (session, from_version, position, summary, first) VALUES (?, ?, ?, ?, ?)'
  for (const [position, { id, first }] of covers.entries())
    if (!kept.has(id)) sql.run(add, session, version, position, id, first)
}

/** Puts a version behind the last one whose list is the same. */
export function insertVersion(
  sql: Sql,
  session: number,
  { version, reason, nextSeq, at }: FrontierVersion,
): void {
  const insert = 'INSERT INTO version (session, version, reason, next_seq, at) VALUES (?, ?, ?, ?, ?)'
  sql.run(insert, session, version, reason, nextSeq, at)
}
