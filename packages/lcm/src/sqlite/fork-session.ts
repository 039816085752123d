import type { Sql } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import { checkFrontier } from '../history/check-frontier.ts'
import { checkCut } from '../history/check-writer.ts'
import { rangesBefore } from '../history/replaced-ranges.ts'
import { checkKey } from '../store/check-key.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { frontierContext } from './frontier-context.ts'
import { writeVersion } from './frontier-rows.ts'
import { readLineage } from './lineage.ts'
import { findSession, insertSession, readSession, replacedOf, type SessionRow } from './session-row.ts'

/** Writes a session that shares everything before a message. Within a transaction. Returns its number. */
export function forkSession(
  sql: Sql,
  parent: SessionRow,
  { key, seq, summaries, at }: Parameters<LcmSession['fork']>[0],
): number {
  checkKey(key)
  const principal = unpackName(parent.principal)
  checkCut(unpackName(parent.key), parent.next_seq, seq, 'fork at')
  if (findSession(sql, { principal, key }) !== undefined)
    throw new StoreError('EXISTS', `there is a session ${key} already; choose another key`)
  const replaced = rangesBefore(replacedOf(parent), seq)
  const origin = { no: parent.no, seq, summary: parent.next_summary }
  const child = readSession(sql, insertSession(sql, { principal, key, at, parent: origin, replaced }))
  const context = frontierContext(sql, readLineage(sql, child), { nextSeq: seq, replaced })
  const frontier = checkFrontier(summaries, context)
  writeVersion(sql, child, { reason: 'fork', nextSeq: seq, at }, frontier)
  return child.no
}
