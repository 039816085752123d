import type { Sql } from '@palimpsest/sqlite-kit'
import { storableCopy } from '../messages/storable-text.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { forgottenOf } from '../store-kit/stored-json.ts'
import { packHash, packName, unpackHash, unpackName } from '../store-kit/stored-values.ts'
import { indexSummary } from './index-text.ts'
import { type Lineage, summaryId } from './lineage.ts'
import { numberOf } from './row-ids.ts'

/** A summary as its table holds it. */
export interface SummaryRow {
  readonly id: number
  readonly depth: number
  readonly first: number
  readonly last: number
  readonly messages: number
  readonly tokens: number
  readonly source_tokens: number
  readonly writer: string
  readonly at: number
  readonly from_at: number
  readonly to_at: number
  readonly hash: string | Uint8Array
  readonly forgotten_at: number | null
  readonly forgotten_reason: string | null
  /** The text as a name is packed, when `text` could only hold a copy. */
  readonly exact_text: string | null
  readonly text: string
  /** JSON of row ids. */
  readonly children: string
}

/** The columns of `SummaryRow`, for a query on the table `summary`. */
export const SUMMARY_COLUMNS = `summary.*, (SELECT json_group_array(child ORDER BY position) FROM edge
  WHERE edge.summary = summary.id) AS children`

const INSERT = `INSERT INTO summary (id, depth, first, last, messages, tokens, source_tokens, writer, at, from_at,
  to_at, hash, forgotten_at, forgotten_reason, exact_text, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Writes a summary, its edges, and what is searched of it. Its children must be there, see `checkNewSummaries`. */
export function insertSummary(sql: Sql, id: number, lineage: Lineage, node: SummaryNode): void {
  const { depth, first, last, messages, tokens, sourceTokens, writer, at, from, to, hash, forgotten } = node
  const text = storableCopy(node.text)
  sql.run(
    INSERT,
    ...[id, depth, first, last, messages, tokens, sourceTokens, writer, at, from, to, packHash(hash)],
    ...[forgotten?.at ?? null, forgotten === undefined ? null : packName(forgotten.reason)],
    ...[text === node.text ? null : packName(node.text), text],
  )
  for (const [position, child] of node.children.entries()) {
    sql.run(
      'INSERT INTO edge (summary, position, child) VALUES (?, ?, ?)',
      id,
      position,
      summaryId(lineage, child)?.id ?? null,
    )
  }
  indexSummary(sql, id, text)
}

/** What a summary covers. */
export type CoverRow = Pick<SummaryRow, 'id' | 'first' | 'last' | 'messages'>

/** What a summary of a lineage covers; undefined when the lineage has none of that number. */
export function findCover(sql: Sql, lineage: Lineage, number: number): CoverRow | undefined {
  const place = summaryId(lineage, number)
  const query = 'SELECT id, first, last, messages FROM summary WHERE id = ? AND last <= ?'
  return place && sql.get<CoverRow>(query, place.id, place.lastSeq)
}

/** A summary of a lineage by its number; undefined when the lineage has none. */
export function readSummary(sql: Sql, lineage: Lineage, number: number): SummaryNode | undefined {
  const place = summaryId(lineage, number)
  if (place === undefined) return undefined
  const query = `SELECT ${SUMMARY_COLUMNS} FROM summary WHERE id = ? AND last <= ?`
  const row = sql.get<SummaryRow>(query, place.id, place.lastSeq)
  return row === undefined ? undefined : toSummaryNode(row)
}

/** A row as a session gives it out. */
export function toSummaryNode(row: SummaryRow): SummaryNode {
  const { id, depth, first, last, messages, tokens, writer, at, from_at: from, to_at: to } = row
  return {
    ...{ number: numberOf(id), depth, first, last, messages },
    children: (JSON.parse(row.children) as number[]).map(numberOf),
    text: row.exact_text === null ? row.text : unpackName(row.exact_text),
    ...{ tokens, sourceTokens: row.source_tokens, writer: writer as SummaryNode['writer'], at, from, to },
    hash: unpackHash(row.hash),
    ...forgottenOf(row),
  }
}
