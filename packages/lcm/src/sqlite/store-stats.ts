import { statSync } from 'node:fs'
import type { Sql } from '@palimpsest/core/sqlite'
import type { LcmStore, SessionInfo, StoreStats } from '../store/lcm-store.ts'
import { packName, unpackName } from '../store-kit/stored-values.ts'
import { rowLimit } from './lineage.ts'
import type { SessionRow } from './session-row.ts'

/** Sessions in the order of principal and key. */
export function listSessions(
  sql: Sql,
  { principal, after, limit }: Parameters<LcmStore['list']>[0],
): SessionInfo[] {
  const conditions: string[] = []
  const values: string[] = []
  if (principal !== undefined) {
    conditions.push('principal = ?')
    values.push(packName(principal))
  }
  if (after !== undefined) {
    conditions.push('(principal, key) > (?, ?)')
    values.push(packName(after.principal), packName(after.key))
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const query = `SELECT * FROM session ${where} ORDER BY principal, key LIMIT ?`
  return sql.all<SessionRow>(query, ...values, rowLimit(limit)).map((row) => ({
    principal: unpackName(row.principal),
    key: unpackName(row.key),
    messages: row.next_seq - row.fork_seq,
    summaries: row.next_summary - row.fork_summary,
    createdAt: row.created_at,
    lastAt: row.last_at,
  }))
}

/** Sums over the sessions, which count what they hold. */
export function readStats(sql: Sql, path: string): StoreStats {
  const sums = sql.get<Omit<StoreStats, 'bytes'>>(
    `SELECT count(*) AS sessions, ifnull(sum(next_seq - fork_seq), 0) AS messages,
       ifnull(sum(next_summary - fork_summary), 0) AS summaries, ifnull(sum(characters), 0) AS characters
     FROM session`,
  )
  const { sessions = 0, messages = 0, summaries = 0, characters = 0 } = sums ?? {}
  const bytes = sizeOf(path) + sizeOf(`${path}-wal`)
  return { sessions, messages, summaries, characters, bytes }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
