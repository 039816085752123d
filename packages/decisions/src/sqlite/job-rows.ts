import type { Sql } from '@palimpsest/sqlite-kit'
import type { ExtractionJob } from '../store/extraction-job.ts'
import type { JobTaking } from '../store-kit/check-take.ts'
import { decodeRow } from '../store-kit/decode-row.ts'

/** Jobs that are not finished, the oldest first. */
export function readPendingJobs(sql: Sql, session: number): ExtractionJob[] {
  const rows = sql.all<ExtractionJob>(
    `SELECT id, first AS "from", behind AS "to", version, attempts FROM job
     WHERE session = ? AND finished = 0 ORDER BY no`,
    session,
  )
  return rows.map((row) => ({ ...row, id: decodeRow(row.id) }))
}

/** Takes a job from its holder, who did not work on it to its end. */
export function releaseJob(sql: Sql, session: number, id: string, holder: string): void {
  sql.run(
    `UPDATE job SET holder = NULL, until = NULL, attempts = attempts - 1
     WHERE session = ? AND id = ? AND holder = ? AND finished = 0`,
    ...[session, JSON.stringify(id), JSON.stringify(holder)],
  )
}

/** Gives a job to a holder, unless it is finished or another one has it. */
export function takeJob(sql: Sql, session: number, id: string, { holder, at, until }: JobTaking): boolean {
  const row = sql.get(
    `UPDATE job SET holder = ?1, until = ?2, attempts = attempts + 1
     WHERE session = ?3 AND id = ?4 AND finished = 0 AND (holder IS NULL OR holder = ?1 OR until <= ?5)
     RETURNING no`,
    ...[JSON.stringify(holder), until, session, JSON.stringify(id), at],
  )
  return row !== undefined
}
