import type { Forgotten, SeqRange } from '@palimpsest/lcm'
import { type Lineage, packName, planForget } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { type LockedSession, lockSession, type SessionRow } from './session-row.ts'
import { type CoverRow, findCovers } from './summary-rows.ts'
import { writePlan } from './write-plan.ts'

/** Why and when, as the tables hold it. */
interface Tombstone {
  readonly at: number
  readonly reason: string
}

/**
 * Deletes the content of messages, and of all summaries whose ranges hold one of them, in every session that shares
 * them, forks and parents included. Each of these sessions gets a new version, by which a live writer notices. Locks
 * the session that all of them come from first: two of these at once would wait for each other otherwise.
 */
export async function forgetMessages(
  sql: Sql,
  no: number,
  lineage: Lineage,
  { first, last, reason, at }: SeqRange & Tombstone,
): Promise<Forgotten> {
  const tombstone = { at, reason: packName(reason) }
  const root = lineage.at(-1)?.session ?? no
  for (const locked of [root, no]) await lockSession(sql, locked)
  const sharing = new Map<number, LockedSession>()
  const covers: Place[] = []
  let messages = 0
  for (const { session, firstSeq, lastSeq } of lineage) {
    const range = { first: Math.max(Math.ceil(first), firstSeq), last: Math.min(Math.floor(last), lastSeq) }
    if (!(range.first <= range.last)) continue
    covers.push(...(await forgetSummaries(sql, session, range, tombstone, sharing)))
    messages += await forgetRows(sql, session, range, tombstone)
  }
  if (covers.length > 0 || messages > 0)
    for (const row of sharing.values()) await writeSameVersion(sql, row, at)
  return { messages, summaries: await ownNumbers(sql, lineage, covers) }
}

async function forgetRows(
  sql: Sql,
  session: number,
  { first, last }: SeqRange,
  { at, reason }: Tombstone,
): Promise<number> {
  const there = 'session = $1 AND seq BETWEEN $2 AND $3 AND forgotten_at IS NULL'
  const sums = await sql.get<{ messages: number; characters: number }>(
    `SELECT count(*) AS messages, coalesce(sum(characters), 0)::bigint AS characters FROM lcm_message WHERE ${there}`,
    ...[session, first, last],
  )
  const { messages = 0, characters = 0 } = sums ?? {}
  if (messages === 0) return 0
  await sql.run(
    `UPDATE lcm_message SET text = '', shape = '', folded = NULL, words = '', grams = NULL, characters = 0,
       forgotten_at = $4, forgotten_reason = $5 WHERE ${there}`,
    ...[session, first, last, at, reason],
  )
  const query = 'UPDATE lcm_session SET characters = characters - $2 WHERE no = $1'
  await sql.run(query, session, characters)
  return messages
}

/** Where a summary is. */
type Place = Pick<CoverRow, 'session' | 'number'>

/**
 * In the session of the messages, and in every fork as far as it shares them. Returns where they were, and adds the
 * sessions to `sharing`, locked: no fork of theirs comes to be meanwhile.
 */
async function forgetSummaries(
  sql: Sql,
  session: number,
  range: SeqRange,
  { at, reason }: Tombstone,
  sharing: Map<number, LockedSession>,
): Promise<Place[]> {
  sharing.set(session, await lockSession(sql, session))
  const forgotten = await sql.all<Place>(
    `UPDATE lcm_summary SET text = '', exact_text = NULL, folded = NULL, forgotten_at = $4, forgotten_reason = $5
     WHERE session = $1 AND first <= $3 AND last >= $2 AND forgotten_at IS NULL RETURNING session, number`,
    ...[session, range.first, range.last, at, reason],
  )
  const forks = await sql.all<Pick<SessionRow, 'no' | 'fork_seq'>>(
    'SELECT no, fork_seq FROM lcm_session WHERE parent = $1 AND fork_seq > $2 ORDER BY no',
    ...[session, range.first],
  )
  for (const { no, fork_seq: seq } of forks) {
    const shared = { first: range.first, last: Math.min(range.last, seq - 1) }
    forgotten.push(...(await forgetSummaries(sql, no, shared, { at, reason }, sharing)))
  }
  return forgotten
}

/** A new version with the list of the one before it. */
async function writeSameVersion(sql: Sql, { no, principal }: LockedSession, at: number): Promise<void> {
  // Its characters have changed since it was locked.
  const { session } = await lockSession(sql, no)
  const query = 'SELECT summaries FROM lcm_frontier WHERE session = $1 AND version = $2'
  const row = await sql.get<{ summaries: number[] }>(query, no, session.version)
  writePlan(sql, { no, principal }, planForget(session, { at, summaries: row?.summaries ?? [] }))
}

/** The numbers of those that the lineage has, in order. */
async function ownNumbers(sql: Sql, lineage: Lineage, places: readonly Place[]): Promise<number[]> {
  const covers = await findCovers(
    sql,
    lineage,
    places.map(({ number }) => number),
  )
  const own = places.filter(({ session, number }) => covers.get(number)?.session === session)
  return own.map(({ number }) => number).sort((left, right) => left - right)
}
