import { type LcmSession, StoreError } from '@palimpsest/lcm'
import { checkCut, checkFrontier, checkKey, rangesBefore, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { frontierContext } from './frontier-context.ts'
import { readLineage } from './lineage.ts'
import { insertSession, insertVersion, replacedOf, type SessionRow } from './session-row.ts'

/** Writes a session that shares everything before a message. `parent` is locked. */
export async function forkSession(
  sql: Sql,
  parent: SessionRow,
  { key, seq, summaries, at }: Parameters<LcmSession['fork']>[0],
): Promise<SessionRow> {
  checkKey(key)
  checkCut(unpackName(parent.key), parent.next_seq, seq, 'fork at')
  const replaced = rangesBefore(replacedOf(parent), seq)
  const child = await insertSession(sql, {
    ...{ principal: unpackName(parent.principal), key, at, replaced },
    parent: { no: parent.no, seq, summary: parent.next_summary },
  })
  if (child === undefined)
    throw new StoreError('EXISTS', `there is a session ${key} already; choose another key`)
  const lineage = await readLineage(sql, child)
  checkFrontier(summaries, await frontierContext(sql, lineage, { nextSeq: seq, replaced }, summaries))
  await insertVersion(sql, child, { version: 0, reason: 'fork', nextSeq: seq, at, summaries })
  return child
}
