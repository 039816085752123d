import type { SummaryNode } from '@palimpsest/lcm'
import {
  type Lineage,
  type SummaryColumns,
  summaryColumns,
  summarySegment,
  toSummaryNode,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { hashBytes, hashOf } from './hash-bytes.ts'
import { indexedText } from './indexed-text.ts'
import type { SessionRow } from './session-row.ts'

/** A summary as its table holds it. */
export interface SummaryRow extends SummaryColumns {
  readonly number: number
  readonly children: readonly number[]
  readonly hash: Buffer
}

const INSERT = `INSERT INTO lcm_summary (session, principal, number, depth, first, last, messages, children, tokens,
    source_tokens, writer, at, from_at, to_at, hash, forgotten_at, forgotten_reason, exact_text, text, folded)
  SELECT $1, $2, number, depth, first, last, messages, children, tokens, source_tokens, writer, at, from_at, to_at,
    decode(hash, 'hex'), forgotten_at, forgotten_reason, exact_text, text, folded
  FROM json_to_recordset($3) AS row (number integer, depth integer, first integer, last integer, messages integer,
    children integer[], tokens double precision, source_tokens double precision, writer text, at double precision,
    from_at double precision, to_at double precision, hash text, forgotten_at double precision,
    forgotten_reason text, exact_text text, text text, folded text)`

/** Writes summaries with the commit. Their children must be there or among them, see `checkNewSummaries`. */
export function insertSummaries(
  sql: Sql,
  { no, principal }: Pick<SessionRow, 'no' | 'principal'>,
  nodes: readonly SummaryNode[],
): void {
  const rows = nodes.map((node) => {
    const { number, children, hash } = node
    const columns = summaryColumns(node)
    const { folded } = indexedText(columns.text)
    return { number, children, hash: hashBytes(hash).toString('hex'), ...columns, folded }
  })
  if (rows.length > 0) sql.later(INSERT, no, principal, JSON.stringify(rows))
}

/** The range of a summary, and the session that owns it. */
export type CoverRow = Pick<SummaryRow, 'number' | 'first' | 'last' | 'messages'> & {
  readonly session: number
}

/** The ranges of summaries of a lineage, by their numbers; foreign ones are left out. */
export async function findCovers(
  sql: Sql,
  lineage: Lineage,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, CoverRow>> {
  const rows = await readOwn<CoverRow>(sql, lineage, numbers, 'session, number, first, last, messages')
  return new Map(rows.map((row) => [row.number, row]))
}

/** Summaries of a lineage by their numbers, in the order asked for; those that it has not are left out. */
export async function readNodes(
  sql: Sql,
  lineage: Lineage,
  numbers: readonly number[],
): Promise<SummaryNode[]> {
  const rows = await readOwn<SummaryRow>(sql, lineage, numbers, 'summary.*')
  const nodes = new Map(rows.map((row) => [row.number, toNode(row)]))
  return numbers.map((number) => nodes.get(number)).filter((node) => node !== undefined)
}

async function readOwn<Row>(
  sql: Sql,
  lineage: Lineage,
  numbers: readonly number[],
  columns: string,
): Promise<Row[]> {
  const places = [...new Set(numbers)].flatMap((number) => {
    const segment = summarySegment(lineage, number)
    return segment === undefined ? [] : [{ ...segment, number }]
  })
  if (places.length === 0) return []
  return sql.all<Row>(
    // A summary that reaches behind a fork is not shared.
    `SELECT ${columns} FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS place (session, number, last_seq)
     JOIN lcm_summary AS summary USING (session, number) WHERE last <= last_seq`,
    places.map(({ session }) => session),
    places.map(({ number }) => number),
    places.map(({ lastSeq }) => lastSeq),
  )
}

/** A row as a session gives it out. */
export function toNode(row: SummaryRow): SummaryNode {
  return toSummaryNode(row, { number: row.number, hash: hashOf(row.hash), children: [...row.children] })
}
