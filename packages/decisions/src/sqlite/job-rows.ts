import type { Sql } from '@palimpsest/sqlite-kit'
import type { ExtractionJob } from '../store/extraction-job.ts'
import type { JobPlan, JobState } from '../store-kit/create-session.ts'
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

/** Reads a job and writes what a plan says of it. Within a transaction. Whether there was something to write. */
export function changeJob(sql: Sql, session: number, id: string, plan: JobPlan): boolean {
  type Row = Omit<JobState, 'finished'> & { readonly no: number; readonly finished: number }
  const query = 'SELECT no, attempts, finished, holder, until FROM job WHERE session = ? AND id = ?'
  const row = sql.get<Row>(query, session, JSON.stringify(id))
  const job = row && {
    ...row,
    finished: row.finished !== 0,
    holder: row.holder === null ? null : decodeRow<string>(row.holder),
  }
  const changed = plan(job)
  if (row === undefined || changed === undefined) return false
  const { attempts, holder, until } = changed
  sql.run(
    'UPDATE job SET attempts = ?, holder = ?, until = ? WHERE no = ?',
    ...[attempts, holder === null ? null : JSON.stringify(holder), until, row.no],
  )
  return true
}
