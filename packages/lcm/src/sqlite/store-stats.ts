import { statSync } from 'node:fs'
import type { Sql } from '@palimpsest/sqlite-kit'
import type { StoreStats } from '../store/lcm-store.ts'

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
