import type { CommitInput } from '@palimpsest/lcm'
import { checkFrontier, checkLease, checkNewSummaries, checkVersion } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { frontierContext } from './frontier-context.ts'
import { leaseOf } from './lease-row.ts'
import type { Lineage } from './lineage.ts'
import { checkNextNumber } from './row-numbers.ts'
import { insertVersion, replacedOf, type SessionRow } from './session-row.ts'
import { findCovers, insertSummaries } from './summary-rows.ts'

/** Writes summaries and makes a list of them the frontier. `session` is locked. Returns the frontier's version. */
export async function commitSummaries(
  sql: Sql,
  session: SessionRow,
  lineage: Lineage,
  { version: known, create, summaries, reason, at, lease }: CommitInput,
): Promise<number> {
  const { no, next_seq: nextSeq, next_summary: nextSummary } = session
  checkVersion(session.version, known)
  if (lease !== undefined) checkLease(leaseOf(session), lease)
  checkNextNumber(nextSummary + create.length)
  const children = await findCovers(
    sql,
    lineage,
    create.flatMap((node) => node.children),
  )
  checkNewSummaries(create, nextSummary, (number) => children.has(number))
  await insertSummaries(sql, session, create)
  checkFrontier(
    summaries,
    await frontierContext(sql, lineage, { nextSeq, replaced: replacedOf(session) }, summaries),
  )
  if (create.length > 0)
    await sql.run('UPDATE lcm_session SET next_summary = $2 WHERE no = $1', no, nextSummary + create.length)
  const version = session.version + 1
  await insertVersion(sql, session, { version, reason, nextSeq, at, summaries })
  return version
}
