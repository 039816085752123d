import { StoreConflictError } from '../errors/store-conflict-error.ts'
import type { CommitInput } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { checkFrontier, invalid } from './check-frontier.ts'
import { writeVersion } from './frontier-rows.ts'
import { type Lineage, summaryId } from './lineage.ts'
import { baseOf, checkNextNumber } from './row-ids.ts'
import { replacedOf, type SessionRow } from './session-row.ts'
import type { Sql } from './sql.ts'
import { packName } from './stored-values.ts'
import { insertSummary } from './summary-rows.ts'

/** Writes summaries and makes a list of them the frontier. Within a transaction. Returns the frontier's version. */
export function commitSummaries(
  sql: Sql,
  session: SessionRow,
  lineage: Lineage,
  { version, create, summaries, reason, at, lease }: CommitInput,
): number {
  const { no, next_seq: nextSeq, next_summary: nextSummary } = session
  checkFrontierVersion(session, version)
  if (lease !== undefined) checkLease(session, lease)
  checkNextNumber(nextSummary + create.length)
  for (const [index, node] of create.entries()) {
    if (node.number !== nextSummary + index)
      throw invalid(`the next summary has the number ${nextSummary + index}, not ${node.number}`)
    createSummary(sql, no, lineage, node)
  }
  const entries = checkFrontier(sql, summaries, { lineage, nextSeq, replaced: replacedOf(session) })
  if (create.length > 0)
    sql.run('UPDATE session SET next_summary = ? WHERE no = ?', nextSummary + create.length, no)
  return writeVersion(sql, session, { reason, nextSeq, at }, entries)
}

/** @throws StoreError `INVALID_FRONTIER` when a child is not there before it. */
export function createSummary(sql: Sql, no: number, lineage: Lineage, node: SummaryNode): void {
  insertSummary(sql, baseOf(no) + node.number, node, (child) => {
    const place = child < node.number ? summaryId(lineage, child) : undefined
    const query = 'SELECT 1 FROM summary WHERE id = ? AND last <= ?'
    if (place === undefined || sql.get(query, place.id, place.lastSeq) === undefined)
      throw invalid(`s${node.number} condenses s${child}, which is not there before it`)
    return place.id
  })
}

/** @throws StoreConflictError when the frontier is another one than the writer knows. */
export function checkFrontierVersion({ version: current }: SessionRow, version: number): void {
  if (current !== version)
    throw new StoreConflictError(
      `the frontier is at version ${current}, not ${version}: another writer was faster; read it again`,
    )
}

function checkLease(session: SessionRow, { holder, token }: NonNullable<CommitInput['lease']>): void {
  if (session.lease_token !== token || session.lease_holder !== packName(holder))
    throw new StoreConflictError(`the lease ${token} of ${holder} is lost; acquire it again`)
}
