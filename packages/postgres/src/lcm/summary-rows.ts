import type { SummaryNode } from '@palimpsest/lcm'
import { forgottenOf, packName, storableCopy, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { hashBytes, hashOf } from './hash-bytes.ts'
import { indexedText } from './indexed-text.ts'
import { type Lineage, summarySegment } from './lineage.ts'
import type { SessionRow } from './session-row.ts'

/** A summary as its table holds it. */
export interface SummaryRow {
  readonly number: number
  readonly depth: number
  readonly first: number
  readonly last: number
  readonly messages: number
  readonly children: readonly number[]
  readonly tokens: number
  readonly source_tokens: number
  readonly writer: string
  readonly at: number
  readonly from_at: number
  readonly to_at: number
  readonly hash: Buffer
  readonly forgotten_at: number | null
  readonly forgotten_reason: string | null
  /** The text as a name is packed, when `text` could only hold a copy. */
  readonly exact_text: string | null
  readonly text: string
}

const INSERT = `INSERT INTO lcm_summary (session, principal, number, depth, first, last, messages, children, tokens,
    source_tokens, writer, at, from_at, to_at, hash, forgotten_at, forgotten_reason, exact_text, text, folded)
  SELECT $1, $2, number, depth, first, last, messages, children, tokens, source_tokens, writer, at, from_at, to_at,
    decode(hash, 'hex'), forgotten_at, forgotten_reason, exact_text, text, folded
  FROM json_to_recordset($3) AS row (number integer, depth integer, first integer, last integer, messages integer,
    children integer[], tokens double precision, source_tokens double precision, writer text, at double precision,
    from_at double precision, to_at double precision, hash text, forgotten_at double precision,
    forgotten_reason text, exact_text text, text text, folded text)`

/** Writes summaries. Their children must be there or among them, see `checkNewSummaries`. */
export async function insertSummaries(
  sql: Sql,
  { no, principal }: Pick<SessionRow, 'no' | 'principal'>,
  nodes: readonly SummaryNode[],
): Promise<void> {
  if (nodes.length > 0) await sql.run(INSERT, no, principal, JSON.stringify(nodes.map(rowOf)))
}

function rowOf(node: SummaryNode): object {
  const { number, depth, first, last, messages, children, tokens, writer, at, hash, forgotten } = node
  const text = storableCopy(node.text)
  return {
    ...{
      number,
      depth,
      first,
      last,
      messages,
      children,
      tokens,
      source_tokens: node.sourceTokens,
      writer,
      at,
    },
    ...{ from_at: node.from, to_at: node.to, hash: hashBytes(hash).toString('hex') },
    ...(forgotten && { forgotten_at: forgotten.at, forgotten_reason: packName(forgotten.reason) }),
    ...(text !== node.text && { exact_text: packName(node.text) }),
    ...{ text, folded: indexedText(text).folded },
  }
}

/** What a summary covers, and the session that has it of its own. */
export type CoverRow = Pick<SummaryRow, 'number' | 'first' | 'last' | 'messages'> & {
  readonly session: number
}

/** What summaries of a lineage cover, by their numbers; those that the lineage has not are not among them. */
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
  const nodes = new Map(rows.map((row) => [row.number, toSummaryNode(row)]))
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
    // What reaches behind a fork is not shared.
    `SELECT ${columns} FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS place (session, number, last_seq)
     JOIN lcm_summary AS summary USING (session, number) WHERE last <= last_seq`,
    places.map(({ session }) => session),
    places.map(({ number }) => number),
    places.map(({ lastSeq }) => lastSeq),
  )
}

/** A row as a session gives it out. */
export function toSummaryNode(row: SummaryRow): SummaryNode {
  const { number, depth, first, last, messages, tokens, writer, at, from_at: from, to_at: to } = row
  return {
    ...{ number, depth, first, last, messages, children: [...row.children] },
    text: summaryText(row),
    ...{ tokens, sourceTokens: row.source_tokens, writer: writer as SummaryNode['writer'], at, from, to },
    hash: hashOf(row.hash),
    ...forgottenOf(row),
  }
}

/** The text of a summary, whatever characters are in it. */
export function summaryText({ exact_text: exact, text }: Pick<SummaryRow, 'exact_text' | 'text'>): string {
  return exact === null ? text : unpackName(exact)
}
