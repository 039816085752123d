import type { Frontier, FrontierVersion } from '@palimpsest/lcm'
import {
  LAST_NUMBER,
  type Lineage,
  rowLimit,
  type StoredFrontier,
  versionNotFound,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { readNodes } from './summary-rows.ts'

/** A version of a frontier as its table holds it. */
export interface FrontierRow extends Omit<StoredFrontier, 'nextSeq'> {
  readonly next_seq: number
}

/** The frontier of a version; undefined: the current one. @throws StoreError `NOT_FOUND` */
export async function readFrontier(
  sql: Sql,
  lineage: Lineage,
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
  return { version: row.version, nodes: await readNodes(sql, lineage, row.summaries) }
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
