import type { ExtractionJob } from '@palimpsest/decisions'
import type { JobTaking } from '@palimpsest/decisions/store-kit'
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

/** Takes a job from its holder, who did not work on it to its end. */
export async function releaseJob(sql: Sql, session: number, id: string, holder: string): Promise<void> {
  await sql.run(
    `UPDATE decisions_job SET holder = NULL, until = NULL, attempts = attempts - 1
     WHERE session = $1 AND digest = $2 AND holder = $3 AND NOT finished`,
    ...[session, nameDigest(id), packName(holder)],
  )
}

/**
 * Gives a job to a holder, unless it is finished or another one has it. Of the times that the holder knows only the
 * difference counts: the clocks of workers differ, and the server has one for all.
 */
export async function takeJob(
  sql: Sql,
  session: number,
  id: string,
  { holder, at, until }: JobTaking,
): Promise<boolean> {
  const taken = await sql.run(
    `UPDATE decisions_job SET holder = $3, until = decisions_clock() + $4, attempts = attempts + 1
     WHERE session = $1 AND digest = $2 AND NOT finished
       AND (holder IS NULL OR holder = $3 OR until <= decisions_clock())`,
    ...[session, nameDigest(id), packName(holder), until - at],
  )
  return taken > 0
}
