import { insertRow, type Sql } from '@palimpsest/sqlite-kit'
import type { Cover } from '../history/check-frontier.ts'
import type { Frontier, FrontierVersion } from '../store/frontier.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import {
  hashBytes,
  hashOf,
  LAST_NUMBER,
  rowLimit,
  type SummaryColumns,
  summaryColumns,
  toSummaryNode,
} from '../store-kit/row-columns.ts'
import type { StoredFrontier } from '../store-kit/stored-session.ts'
import { indexSummary } from './index-text.ts'
import { baseOf, numberOf } from './session-row.ts'

interface SummaryRow extends SummaryColumns {
  readonly id: number
  readonly hash: Uint8Array
  /** JSON of numbers. */
  readonly children: string
}

/** Writes a summary and what is searched of it. Its children must be there, see `checkNewSummaries`. */
export function insertSummary(sql: Sql, no: number, node: SummaryNode): void {
  const id = baseOf(no) + node.number
  const columns = summaryColumns(node)
  const children = JSON.stringify(node.children)
  insertRow(sql, 'summary', { id, hash: hashBytes(node.hash), children, ...columns })
  indexSummary(sql, id, columns.text)
}

/** The range of a summary; undefined when the session has none of that number. */
export function findCover(sql: Sql, no: number, number: number): Cover | undefined {
  return findRow<Cover>(sql, no, number, 'first, last, messages')
}

/** Summaries of a session by number, in the order asked for; unknown ones are left out. */
export function readSummaries(sql: Sql, no: number, numbers: readonly number[]): SummaryNode[] {
  return numbers.flatMap((number) => {
    const row = findRow<SummaryRow>(sql, no, number, '*')
    if (row === undefined) return []
    const children: number[] = JSON.parse(row.children)
    return [toSummaryNode(row, { number: numberOf(row.id), hash: hashOf(row.hash), children })]
  })
}

function findRow<Row>(sql: Sql, no: number, number: number, columns: string): Row | undefined {
  if (!(number > 0 && number <= LAST_NUMBER)) return undefined
  return sql.get<Row>(`SELECT ${columns} FROM summary WHERE id = ?`, baseOf(no) + number)
}

interface VersionRow extends Omit<FrontierVersion, 'nextSeq'> {
  readonly next_seq: number
  /** JSON of numbers. */
  readonly summaries: string
}

/** The frontier of a version; undefined when there is none. */
export function readFrontier(sql: Sql, no: number, version: number): Frontier | undefined {
  if (typeof version !== 'number') return undefined
  const query = 'SELECT summaries FROM version WHERE session = ? AND version = ?'
  const row = sql.get<Pick<VersionRow, 'summaries'>>(query, no, version)
  return row && { version, nodes: readSummaries(sql, no, JSON.parse(row.summaries)) }
}

/** Versions below another one, from the newest to the oldest. */
export function readVersions(sql: Sql, no: number, before: number, limit: number): FrontierVersion[] {
  const query = `SELECT version, reason, next_seq, at FROM version
    WHERE session = ? AND version < ? ORDER BY version DESC LIMIT 0 + ?`
  return sql
    .all<VersionRow>(query, no, before, rowLimit(limit))
    .map(({ version, reason, next_seq: nextSeq, at }) => ({ version, reason, nextSeq, at }))
}

export function insertVersion(sql: Sql, no: number, frontier: StoredFrontier): void {
  const { version, reason, nextSeq, at, summaries } = frontier
  const columns = {
    session: no,
    version,
    reason,
    next_seq: nextSeq,
    at,
    summaries: JSON.stringify(summaries),
  }
  insertRow(sql, 'version', columns)
}
