import type { SessionInfo } from '../store/lcm-store.ts'
import { unpackName } from './stored-values.ts'

/** What a row of a session says for a list of them. Names are packed. */
export interface ListedRow {
  readonly principal: string
  readonly key: string
  readonly next_seq: number
  readonly fork_seq: number
  readonly next_summary: number
  readonly fork_summary: number
  readonly created_at: number
  readonly last_at: number
}

/** A session with what is its own: what it shares with the one that it was forked from is not counted. */
export function toSessionInfo(row: ListedRow): SessionInfo {
  return {
    principal: unpackName(row.principal),
    key: unpackName(row.key),
    messages: row.next_seq - row.fork_seq,
    summaries: row.next_summary - row.fork_summary,
    createdAt: row.created_at,
    lastAt: row.last_at,
  }
}
