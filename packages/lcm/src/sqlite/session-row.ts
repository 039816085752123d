import type { Sql } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import type { FrontierReason } from '../store/frontier.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import type { SessionRef } from '../store/lcm-store.ts'
import { packName } from '../store-kit/stored-values.ts'
import { checkSessionNumber } from './row-ids.ts'

/** A session as its table holds it. Names are packed. */
export interface SessionRow {
  readonly no: number
  readonly principal: string
  readonly key: string
  readonly created_at: number
  readonly last_at: number
  readonly parent: number | null
  /** The number of its own first message and summary. */
  readonly fork_seq: number
  readonly fork_summary: number
  readonly next_seq: number
  readonly next_summary: number
  readonly version: number
  /** JSON of `SeqRange[]`. */
  readonly replaced: string
  /** Characters of the JSON texts of its own messages. */
  readonly characters: number
  readonly lease_token: number
  readonly lease_holder: string | null
  readonly lease_until: number | null
}

/** The row of a session by its name; undefined when there is none. */
export function findSession(sql: Sql, { principal, key }: Required<SessionRef>): SessionRow | undefined {
  const query = 'SELECT * FROM session WHERE principal = ? AND key = ?'
  return sql.get<SessionRow>(query, packName(principal), packName(key))
}

/** The row of a session that must be there. @throws StoreError `STORE_CORRUPT` */
export function readSession(sql: Sql, no: number): SessionRow {
  const row = sql.get<SessionRow>('SELECT * FROM session WHERE no = ?', no)
  if (row === undefined) throw new StoreError('STORE_CORRUPT', `session ${no} is missing; import it again`)
  return row
}

/** The replaced ranges of a row: in order and disjoint. */
export function replacedOf({ replaced }: SessionRow): readonly SeqRange[] {
  return JSON.parse(replaced)
}

/** The replaced ranges of a session, and nothing else of it: every search reads them. */
export function readReplaced(sql: Sql, no: number): readonly SeqRange[] {
  const row = sql.get<Pick<SessionRow, 'replaced'>>('SELECT replaced FROM session WHERE no = ?', no)
  return JSON.parse(row?.replaced ?? '[]')
}

/** What a session begins with. */
export interface NewSession extends Required<SessionRef> {
  readonly at: number
  readonly parent?: { readonly no: number; readonly seq: number; readonly summary: number }
  readonly replaced: readonly SeqRange[]
}

/** Writes a session without a frontier, which `writeVersion` adds as version 0. Returns its number. */
export function insertSession(sql: Sql, { principal, key, at, parent, replaced }: NewSession): number {
  const { no } = sql.get<{ no: number }>('SELECT ifnull(max(no), 0) + 1 AS no FROM session') ?? { no: 1 }
  checkSessionNumber(no)
  const seq = parent?.seq ?? 0
  const summary = parent?.summary ?? 1
  sql.run(
    `INSERT INTO session (no, principal, key, created_at, last_at, parent, fork_seq, fork_summary, next_seq,
       next_summary, version, replaced, characters) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, -1, ?, 0)`,
    ...[no, packName(principal), packName(key), at, at, parent?.no ?? null, seq, summary, seq, summary],
    JSON.stringify(replaced),
  )
  return no
}

/** Puts a new version of the frontier behind the last one. */
export function insertVersion(
  sql: Sql,
  no: number,
  row: { version: number; reason: FrontierReason; nextSeq: number; at: number },
): void {
  const { version, reason, nextSeq, at } = row
  const insert = 'INSERT INTO version (session, version, reason, next_seq, at) VALUES (?, ?, ?, ?, ?)'
  sql.run(insert, no, version, reason, nextSeq, at)
  sql.run('UPDATE session SET version = ? WHERE no = ?', version, no)
}
