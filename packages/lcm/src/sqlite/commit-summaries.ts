import type { Sql } from '@palimpsest/sqlite-kit'
import { checkFrontier, checkNewSummaries } from '../history/check-frontier.ts'
import { checkLease, checkVersion } from '../history/check-writer.ts'
import type { CommitInput } from '../store/lcm-session.ts'
import { frontierContext } from './frontier-context.ts'
import { writeVersion } from './frontier-rows.ts'
import { leaseOf } from './lease-row.ts'
import type { Lineage } from './lineage.ts'
import { baseOf, checkNextNumber } from './row-ids.ts'
import { replacedOf, type SessionRow } from './session-row.ts'
import { findCover, insertSummary } from './summary-rows.ts'

/** Writes summaries and makes a list of them the frontier. Within a transaction. Returns the frontier's version. */
export function commitSummaries(
  sql: Sql,
  session: SessionRow,
  lineage: Lineage,
  { version, create, summaries, reason, at, lease }: CommitInput,
): number {
  const { no, next_seq: nextSeq, next_summary: nextSummary } = session
  checkVersion(session.version, version)
  if (lease !== undefined) checkLease(leaseOf(session), lease)
  checkNextNumber(nextSummary + create.length)
  checkNewSummaries(create, nextSummary, (number) => findCover(sql, lineage, number) !== undefined)
  for (const node of create) insertSummary(sql, baseOf(no) + node.number, lineage, node)
  const context = frontierContext(sql, lineage, { nextSeq, replaced: replacedOf(session) })
  const frontier = checkFrontier(summaries, context)
  if (create.length > 0)
    sql.run('UPDATE session SET next_summary = ? WHERE no = ?', nextSummary + create.length, no)
  return writeVersion(sql, session, { reason, nextSeq, at }, frontier)
}
