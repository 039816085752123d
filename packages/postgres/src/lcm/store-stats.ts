import type { StoreStats } from '@palimpsest/lcm'
import type { Sql } from '../database/sql.ts'
import { LCM_TABLES } from './schema.ts'

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
