import type { Frontier, FrontierVersion, SummaryNode } from '@palimpsest/lcm'
import {
  type Cover,
  foldText,
  hashBytes,
  hashOf,
  LAST_NUMBER,
  rowLimit,
  type StoredFrontier,
  type SummaryColumns,
  storableCopy,
  summaryColumns,
  toSummaryNode,
  versionNotFound,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import type { SessionRow } from './session-row.ts'

/** A summary as its table holds it. */
export interface SummaryRow extends SummaryColumns {
  readonly number: number
  readonly children: readonly number[]
  readonly hash: Buffer
}

const INSERT = `INSERT INTO lcm_summary (session, principal, number, depth, first, last, messages, children, tokens,
    source_tokens, writer, at, from_at, to_at, hash, forgotten_at, forgotten_reason, text, folded)
  SELECT $1, $2, number, depth, first, last, messages, children, tokens, source_tokens, writer, at, from_at, to_at,
    decode(hash, 'hex'), forgotten_at, forgotten_reason, text, folded
  FROM json_to_recordset($3) AS row (number integer, depth integer, first integer, last integer, messages integer,
    children integer[], tokens double precision, source_tokens double precision, writer text, at double precision,
    from_at double precision, to_at double precision, hash text, forgotten_at double precision,
    forgotten_reason text, text text, folded text)`

/** Writes summaries with the commit. Their children must be there or among them, see `checkNewSummaries`. */
export function insertSummaries(
  sql: Sql,
  { no, principal }: Pick<SessionRow, 'no' | 'principal'>,
  nodes: readonly SummaryNode[],
): void {
  const rows = nodes.map((node) => {
    const { number, children, hash } = node
    const columns = summaryColumns(node)
    const folded = foldText(storableCopy(node.text))
    return { number, children, hash: hashBytes(hash).toString('hex'), ...columns, folded }
  })
  if (rows.length > 0) sql.later(INSERT, no, principal, JSON.stringify(rows))
}

/** The ranges of summaries of a session, by their numbers; unknown ones are left out. */
export async function findCovers(
  sql: Sql,
  no: number,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Cover>> {
  const columns = 'number, first, last, messages'
  const rows = await readNumbered<Cover & { readonly number: number }>(sql, no, numbers, columns)
  return new Map(rows.map((row) => [row.number, row]))
}

/** Summaries of a session by their numbers, in the order asked for; unknown ones are left out. */
export async function readSummaries(
  sql: Sql,
  no: number,
  numbers: readonly number[],
): Promise<SummaryNode[]> {
  const rows = await readNumbered<SummaryRow>(sql, no, numbers, '*')
  const nodes = new Map(rows.map((row) => [row.number, toNode(row)]))
  return numbers.map((number) => nodes.get(number)).filter((node) => node !== undefined)
}

async function readNumbered<Row>(
  sql: Sql,
  no: number,
  numbers: readonly number[],
  columns: string,
): Promise<Row[]> {
  const known = [...new Set(numbers)].filter(
    (number) => Number.isInteger(number) && number > 0 && number <= LAST_NUMBER,
  )
  if (known.length === 0) return []
  const query = `SELECT ${columns} FROM lcm_summary WHERE session = $1 AND number = ANY ($2::integer[])`
  return sql.all<Row>(query, no, known)
}

function toNode(row: SummaryRow): SummaryNode {
  return toSummaryNode(row, { number: row.number, hash: hashOf(row.hash), children: [...row.children] })
}

/** A version of a frontier as its table holds it. */
interface FrontierRow extends Omit<StoredFrontier, 'nextSeq'> {
  readonly next_seq: number
}

/** The frontier of a version; undefined: the current one. @throws StoreError `NOT_FOUND` */
export async function readFrontier(
  sql: Sql,
  { no, key }: { readonly no: number; readonly key: string },
  version: number | undefined,
): Promise<Frontier> {
  const wanted = version ?? -1
  const row = Number.isInteger(wanted)
    ? await sql.get<FrontierRow>(
        `SELECT frontier.* FROM lcm_session JOIN lcm_frontier AS frontier ON session = no
         WHERE no = $1 AND frontier.version = CASE WHEN $2 THEN lcm_session.version ELSE $3::bigint END`,
        ...[no, version === undefined, wanted],
      )
    : undefined
  if (row === undefined) throw versionNotFound(key, wanted)
  return { version: row.version, nodes: await readSummaries(sql, no, row.summaries) }
}

/** Versions from the newest to the oldest. */
export async function readVersions(
  sql: Sql,
  no: number,
  { before = LAST_NUMBER, limit }: { readonly before?: number; readonly limit: number },
): Promise<FrontierVersion[]> {
  const rows = await sql.all<FrontierRow>(
    `SELECT version, reason, next_seq, at FROM lcm_frontier
     WHERE session = $1 AND version < $2::double precision ORDER BY version DESC LIMIT $3`,
    ...[no, before, rowLimit(limit)],
  )
  return rows.map(({ version, reason, next_seq: nextSeq, at }) => ({ version, reason, nextSeq, at }))
}

/** Writes a version with the commit. */
export function insertVersion(
  sql: Sql,
  { no, principal }: Pick<SessionRow, 'no' | 'principal'>,
  { version, reason, nextSeq, at, summaries }: StoredFrontier,
): void {
  sql.later(
    `INSERT INTO lcm_frontier (session, version, principal, reason, next_seq, at, summaries)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    ...[no, version, principal, reason, nextSeq, at, summaries],
  )
}
