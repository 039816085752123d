import { type BatchRows, countAfter } from '@palimpsest/decisions/store-kit'
import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import { insertStatements } from '../database/insert-rows.ts'
import type { Sql } from '../database/sql.ts'
import { appendEvents, readEvents } from './event-rows.ts'
import { nameDigest } from './name-digest.ts'
import type { SessionRow } from './session-row.ts'

/** Writes a batch. `session` is locked. @throws StoreError `STORE_CONFLICT` */
export async function writeBatch(sql: Sql, session: SessionRow, rows: BatchRows, at: number): Promise<void> {
  const { no, principal, messages } = session
  const after = countAfter(messages, rows, await readEvents(sql, unpackName(principal), rows.unknown))
  const { replaceFrom, sources, events, jobs, finished } = rows
  if (replaceFrom !== undefined) await cutFrom(sql, no, replaceFrom)
  const inserts = [
    ...insertStatements(
      'decisions_source',
      ['session', 'principal', 'message', 'json'],
      sources.map(({ message, json }) => [no, principal, message, json]),
    ),
    ...insertStatements(
      'decisions_job',
      ['session', 'principal', 'id', 'digest', 'first', 'behind', 'version', 'attempts'],
      jobs.map((job) => [
        ...[no, principal, packName(job.id), nameDigest(job.id)],
        ...[job.from, job.to, job.version, job.attempts],
      ]),
      'ON CONFLICT (session, digest) DO NOTHING',
    ),
  ]
  for (const statement of inserts) sql.later(...statement)
  for (const id of finished)
    sql.later(
      'UPDATE decisions_job SET finished = true WHERE session = $1 AND digest = $2',
      ...[no, nameDigest(id)],
    )
  // The log is everybody's of the principal: behind the events there is nothing but the end.
  const added = await appendEvents(sql, session, events)
  sql.later(
    'UPDATE decisions_session SET messages = $2, events = events + $3, last_at = greatest(last_at, $4) WHERE no = $1',
    ...[no, after, added, at],
  )
}

async function cutFrom(sql: Sql, no: number, from: number): Promise<void> {
  await sql.run('DELETE FROM decisions_source WHERE session = $1 AND message >= $2', no, from)
  await sql.run('DELETE FROM decisions_job WHERE session = $1 AND behind > $2', no, from)
}
