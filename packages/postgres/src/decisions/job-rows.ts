import type { ExtractionJob } from '@palimpsest/decisions'
import type { JobPlan, JobState } from '@palimpsest/decisions/store-kit'
import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { nameDigest } from './name-digest.ts'

/** Jobs that are not finished, the oldest first. */
export async function readPendingJobs(sql: Sql, session: number): Promise<ExtractionJob[]> {
  const rows = await sql.all<ExtractionJob>(
    `SELECT id, first AS "from", behind AS "to", version, attempts FROM decisions_job
     WHERE session = $1 AND NOT finished ORDER BY no`,
    session,
  )
  return rows.map((row) => ({ ...row, id: unpackName(row.id) }))
}

/**
 * Reads a job and writes what a plan says of it. The session is locked. The time is the server's, because the clocks of
 * workers differ. Whether there was something to write.
 */
export async function changeJob(sql: Sql, session: number, id: string, plan: JobPlan): Promise<boolean> {
  const row = await sql.get<JobState & { readonly no: number; readonly now: number }>(
    `SELECT no, attempts, finished, holder, until, decisions_clock() AS now FROM decisions_job
     WHERE session = $1 AND digest = $2`,
    ...[session, nameDigest(id)],
  )
  const job = row && { ...row, holder: row.holder === null ? null : unpackName(row.holder) }
  const changed = plan(job, row?.now)
  if (row === undefined || changed === undefined) return false
  const { attempts, holder, until } = changed
  sql.later(
    'UPDATE decisions_job SET attempts = $2, holder = $3, until = $4 WHERE no = $1',
    ...[row.no, attempts, holder === null ? null : packName(holder), until],
  )
  return true
}
