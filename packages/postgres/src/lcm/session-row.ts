import { InvalidOptionError } from '@palimpsest/core'
import { type FrontierReason, type SeqRange, type SessionRef, StoreError } from '@palimpsest/lcm'
import { packName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'

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
}

/** What one index entry holds, in bytes: a page of PostgreSQL holds three. */
const MAX_NAMES = 2_600

/** The row of a session by its name; undefined when there is none. */
export async function findSession(
  sql: Sql,
  { principal, key }: Required<SessionRef>,
): Promise<SessionRow | undefined> {
  const query = 'SELECT * FROM lcm_session WHERE principal = $1 AND key = $2'
  return sql.get<SessionRow>(query, packName(principal), packName(key))
}

/** The row of a session that must be there. @throws StoreError `STORE_CORRUPT` */
export async function readSession(sql: Sql, no: number): Promise<SessionRow> {
  return isThere(await sql.get<SessionRow>('SELECT * FROM lcm_session WHERE no = $1', no), no)
}

/** The same for who is going to write: all other writers of the session wait until the end of the transaction. */
export async function lockSession(sql: Sql, no: number): Promise<SessionRow> {
  // Without values, so that it goes along with the beginning of the transaction.
  const query = `SELECT * FROM lcm_session WHERE no = ${no} FOR NO KEY UPDATE`
  return isThere(await sql.get<SessionRow>(query), no)
}

function isThere(row: SessionRow | undefined, no: number): SessionRow {
  if (row === undefined) throw new StoreError('STORE_CORRUPT', `session ${no} is missing; import it again`)
  return row
}

/** The replaced ranges of a row: in order and disjoint. */
export function replacedOf({ replaced }: Pick<SessionRow, 'replaced'>): readonly SeqRange[] {
  return JSON.parse(replaced)
}

/** The replaced ranges of a session, and nothing else of it: every search reads them. */
export async function readReplaced(sql: Sql, no: number): Promise<readonly SeqRange[]> {
  const query = 'SELECT replaced FROM lcm_session WHERE no = $1'
  return replacedOf((await sql.get<Pick<SessionRow, 'replaced'>>(query, no)) ?? { replaced: '[]' })
}

/** What a session begins with. */
export interface NewSession extends Required<SessionRef> {
  readonly at: number
  readonly parent?: { readonly no: number; readonly seq: number; readonly summary: number }
  readonly replaced: readonly SeqRange[]
}

/**
 * Writes a session without a frontier, which `insertVersion` adds as version 0. Undefined when another one has made
 * a session of that name.
 *
 * @throws InvalidOptionError `key` for a name that is too long to be found again.
 */
export async function insertSession(
  sql: Sql,
  { principal, key, at, parent, replaced }: NewSession,
): Promise<SessionRow | undefined> {
  const names = [packName(principal), packName(key)]
  if (Buffer.byteLength(names.join('')) > MAX_NAMES)
    throw new InvalidOptionError(
      'key',
      `the id of a session and its principal may be ${MAX_NAMES} bytes long together; choose a shorter one`,
    )
  const seq = parent?.seq ?? 0
  const summary = parent?.summary ?? 1
  return sql.get<SessionRow>(
    `INSERT INTO lcm_session (principal, key, created_at, last_at, parent, fork_seq, fork_summary, next_seq,
       next_summary, version, replaced) VALUES ($1, $2, $3, $3, $4, $5, $6, $5, $6, -1, $7)
     ON CONFLICT (principal, key) DO NOTHING RETURNING *`,
    ...[...names, at, parent?.no ?? null, seq, summary, JSON.stringify(replaced)],
  )
}

/** Puts a new version of the frontier behind the last one. */
export async function insertVersion(
  sql: Sql,
  { no, principal }: Pick<SessionRow, 'no' | 'principal'>,
  row: {
    readonly version: number
    readonly reason: FrontierReason
    readonly nextSeq: number
    readonly at: number
    readonly summaries: readonly number[]
  },
): Promise<void> {
  const { version, reason, nextSeq, at, summaries } = row
  await sql.run(
    `WITH session AS (UPDATE lcm_session SET version = $2 WHERE no = $1)
     INSERT INTO lcm_frontier (session, version, principal, reason, next_seq, at, summaries)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    ...[no, version, principal, reason, nextSeq, at, summaries],
  )
}
