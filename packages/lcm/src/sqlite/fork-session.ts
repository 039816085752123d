import { StoreError } from '../errors/store-error.ts'
import { rangesBefore } from '../history/replaced-ranges.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { checkFrontier } from './check-frontier.ts'
import { writeVersion } from './frontier-rows.ts'
import { readLineage } from './lineage.ts'
import { findSession, insertSession, readSession, replacedOf, type SessionRow } from './session-row.ts'
import type { Sql } from './sql.ts'
import { unpackName } from './stored-values.ts'

/** Writes a session that shares everything before a message. Within a transaction. Returns its number. */
export function forkSession(
  sql: Sql,
  parent: SessionRow,
  { key, seq, summaries, at }: Parameters<LcmSession['fork']>[0],
): number {
  const principal = unpackName(parent.principal)
  if (!(Number.isInteger(seq) && seq >= 0 && seq <= parent.next_seq))
    throw new StoreError(
      'NOT_FOUND',
      `${unpackName(parent.key)} has no message m${seq} to fork at; its next one is m${parent.next_seq}`,
    )
  if (findSession(sql, { principal, key }) !== undefined)
    throw new StoreError('EXISTS', `there is a session ${key} already; choose another key`)
  const replaced = rangesBefore(replacedOf(parent), seq)
  const origin = { no: parent.no, seq, summary: parent.next_summary }
  const child = readSession(sql, insertSession(sql, { principal, key, at, parent: origin, replaced }))
  const context = { lineage: readLineage(sql, child), nextSeq: seq, replaced }
  const frontier = checkFrontier(sql, summaries, context)
  writeVersion(sql, child, { reason: 'fork', nextSeq: seq, at }, frontier)
  return child.no
}
