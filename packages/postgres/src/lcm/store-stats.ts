import type { LcmStore, SessionInfo, StoreStats } from '@palimpsest/lcm'
import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { rowLimit } from './row-numbers.ts'
import { LCM_TABLES } from './schema.ts'
import type { SessionRow } from './session-row.ts'

/** Sessions in the order of principal and key. */
export async function listSessions(
  sql: Sql,
  { principal, after, limit }: Parameters<LcmStore['list']>[0],
): Promise<SessionInfo[]> {
  const conditions = ['true']
  const values: string[] = []
  const add = (value: string) => `$${1 + values.push(packName(value))}`
  if (principal !== undefined) conditions.push(`principal = ${add(principal)}`)
  if (after !== undefined) conditions.push(`(principal, key) > (${add(after.principal)}, ${add(after.key)})`)
  const rows = await sql.all<SessionRow>(
    `SELECT * FROM lcm_session WHERE ${conditions.join(' AND ')} ORDER BY principal, key LIMIT $1`,
    ...[rowLimit(limit), ...values],
  )
  return rows.map((row) => ({
    principal: unpackName(row.principal),
    key: unpackName(row.key),
    messages: row.next_seq - row.fork_seq,
    summaries: row.next_summary - row.fork_summary,
    createdAt: row.created_at,
    lastAt: row.last_at,
  }))
}

/** Sums over the sessions, which count what they hold. */
export async function readStats(sql: Sql): Promise<StoreStats> {
  const stats = await sql.get<StoreStats>(
    `SELECT count(*) AS sessions, coalesce(sum(next_seq - fork_seq), 0)::bigint AS messages,
       coalesce(sum(next_summary - fork_summary), 0)::bigint AS summaries,
       coalesce(sum(characters), 0)::bigint AS characters,
       (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) AS name)::bigint AS bytes
     FROM lcm_session`,
    LCM_TABLES,
  )
  return stats ?? { sessions: 0, messages: 0, summaries: 0, characters: 0 }
}
