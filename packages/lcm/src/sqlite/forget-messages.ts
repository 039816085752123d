import type { Sql } from '@palimpsest/sqlite-kit'
import type { Forgotten, SeqRange } from '../store/lcm-session.ts'
import type { Lineage } from '../store-kit/lineage.ts'
import { planForget } from '../store-kit/plan-write.ts'
import { toStoredSession } from '../store-kit/row-columns.ts'
import { packName } from '../store-kit/stored-values.ts'
import { insertVersion } from './frontier-rows.ts'
import { unindexMessage, unindexSummary } from './index-text.ts'
import type { MessageRow } from './message-rows.ts'
import { baseOf, numberOf, ROWS_PER_SESSION } from './row-ids.ts'
import { readSession, updateSession } from './session-row.ts'
import { findCover } from './summary-rows.ts'

/** Why and when, as the tables hold it. */
interface Tombstone {
  readonly at: number
  readonly reason: string
}

/** Rows that are read at a time: their texts are in memory. */
const PAGE_ROWS = 200

/**
 * Deletes the content of messages, and of all summaries whose ranges hold one of them, in every session that shares
 * them, forks and parents included. Each of these sessions gets a new version, by which a live writer notices. Within
 * a transaction.
 */
export function forgetMessages(
  sql: Sql,
  lineage: Lineage,
  { first, last, reason, at }: SeqRange & Tombstone,
): Forgotten {
  const tombstone = { at, reason: packName(reason) }
  let messages = 0
  const summaries: number[] = []
  const sharing = new Set<number>()
  let changed = false
  for (const { session, firstSeq, lastSeq } of lineage) {
    const range = { first: Math.max(first, firstSeq), last: Math.min(last, lastSeq) }
    if (!(range.first <= range.last)) continue
    messages += forgetRows(sql, session, range, tombstone)
    for (const id of forgetSummaries(sql, session, range, tombstone, sharing)) {
      changed = true
      if (findCover(sql, lineage, numberOf(id))?.id === id) summaries.push(numberOf(id))
    }
  }
  if (changed || messages > 0)
    for (const session of sharing) {
      const plan = planForget(toStoredSession(readSession(sql, session)), { at, summaries: [] })
      for (const version of plan.frontiers) insertVersion(sql, session, version)
      updateSession(sql, session, plan.session)
    }
  return { messages, summaries: [...new Set(summaries)].sort((left, right) => left - right) }
}

function forgetRows(sql: Sql, session: number, { first, last }: SeqRange, tombstone: Tombstone): number {
  const base = baseOf(session)
  let messages = 0
  for (;;) {
    const rows = sql.all<Pick<MessageRow, 'id' | 'characters' | 'script' | 'text'>>(
      `SELECT id, characters, script, text FROM message
       WHERE id BETWEEN ? AND ? AND forgotten_at IS NULL ORDER BY id LIMIT ?`,
      ...[base + first, base + last, PAGE_ROWS],
    )
    for (const { id, characters, script, text } of rows) {
      unindexMessage(sql, id, text, script)
      sql.run(
        `UPDATE message SET text = '', shape = '', script = 0, characters = 0, forgotten_at = ?,
           forgotten_reason = ? WHERE id = ?`,
        ...[tombstone.at, tombstone.reason, id],
      )
      sql.run('UPDATE session SET characters = characters - ? WHERE no = ?', characters, session)
    }
    messages += rows.length
    if (rows.length < PAGE_ROWS) return messages
  }
}

/**
 * In the session of the messages, and in every fork as far as it shares them. Returns the row ids, and adds the
 * sessions to `sharing`.
 */
function forgetSummaries(
  sql: Sql,
  session: number,
  range: SeqRange,
  tombstone: Tombstone,
  sharing: Set<number>,
): number[] {
  sharing.add(session)
  const base = baseOf(session)
  const rows = sql.all<{ id: number; text: string }>(
    `SELECT id, text FROM summary
     WHERE id BETWEEN ? AND ? AND first <= ? AND last >= ? AND forgotten_at IS NULL`,
    ...[base, base + ROWS_PER_SESSION - 1, range.last, range.first],
  )
  for (const { id, text } of rows) {
    unindexSummary(sql, id, text)
    sql.run(
      `UPDATE summary SET text = '', exact_text = NULL, forgotten_at = ?, forgotten_reason = ? WHERE id = ?`,
      ...[tombstone.at, tombstone.reason, id],
    )
  }
  const forks = sql.all<{ no: number; fork_seq: number }>(
    'SELECT no, fork_seq FROM session WHERE parent = ? AND fork_seq > ?',
    ...[session, range.first],
  )
  const forgotten = rows.map(({ id }) => id)
  for (const { no, fork_seq: seq } of forks) {
    const shared = { first: range.first, last: Math.min(range.last, seq - 1) }
    forgotten.push(...forgetSummaries(sql, no, shared, tombstone, sharing))
  }
  return forgotten
}
