import { type Connection, insertSealed, type Sql } from '@palimpsest/sqlite-kit'
import type { DecisionSession, DecisionSessionRef, ExtractionJob } from '../store/decision-store.ts'
import { type BatchRows, countAfter } from '../store-kit/batch-rows.ts'
import { createSession, decodeRow, type JobPlan, type JobState } from '../store-kit/create-session.ts'
import { appendEvents, readEvents } from './event-rows.ts'
import { SOURCE_TABLE } from './schema.ts'
import { readSession } from './session-row.ts'

/** A handle of the session with this number. */
export function createSqliteSession(
  connection: Connection,
  no: number,
  ref: Required<DecisionSessionRef>,
): DecisionSession {
  const readTexts = (query: string, ...bounds: number[]): Promise<string[]> =>
    connection.direct((sql) => sql.all<{ json: string }>(query, no, ...bounds).map(({ json }) => json))

  return createSession(ref, {
    state: () => connection.direct((sql) => readSession(sql, no)),
    sources: (from, to) =>
      readTexts(
        'SELECT json FROM source WHERE session = ? AND message >= ? AND message < ? ORDER BY message',
        ...[from, to],
      ),
    artifacts: () => readTexts('SELECT json FROM artifact WHERE session = ? ORDER BY message, call, no'),
    pendingJobs: () => connection.direct((sql) => readPendingJobs(sql, no)),
    changeJob: (id, plan) => connection.write((sql) => changeJob(sql, no, id, plan)),
    events: (query) => connection.read((sql) => readEvents(sql, readSession(sql, no).principal, query)),
    write: (rows, at) => connection.write((sql) => writeBatch(sql, no, rows, at)),
  })
}

/** Jobs that are not finished, the oldest first. */
function readPendingJobs(sql: Sql, session: number): ExtractionJob[] {
  const rows = sql.all<ExtractionJob>(
    `SELECT id, first AS "from", behind AS "to", version, attempts FROM job
     WHERE session = ? AND finished = 0 ORDER BY no`,
    session,
  )
  return rows.map((row) => ({ ...row, id: decodeRow(row.id) }))
}

/** Reads a job and writes what a plan says of it. Within a transaction. Whether there was something to write. */
function changeJob(sql: Sql, session: number, id: string, plan: JobPlan): boolean {
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

/** Writes a batch, within a transaction. @throws StoreError `STORE_CONFLICT` */
function writeBatch(sql: Sql, no: number, rows: BatchRows, at: number): void {
  const { principal, messages } = readSession(sql, no)
  const after = countAfter(messages, rows, readEvents(sql, principal, rows.unknown))
  const { replaceFrom, sources, events, artifacts, jobs, finished, summary } = rows
  if (replaceFrom !== undefined) cutFrom(sql, no, replaceFrom)
  for (const { message, json } of sources) insertSealed(sql, SOURCE_TABLE, { session: no, message, json })
  const added = appendEvents(sql, principal, events)
  for (const { message, call, json } of artifacts)
    sql.run(
      'INSERT INTO artifact (session, message, call, json) VALUES (?, ?, ?, ?)',
      no,
      message,
      call,
      json,
    )
  for (const { id, from, to, version, attempts } of jobs)
    sql.run(
      `INSERT INTO job (session, id, first, behind, version, attempts) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (session, id) DO NOTHING`,
      ...[no, JSON.stringify(id), from, to, version, attempts],
    )
  for (const id of finished)
    sql.run('UPDATE job SET finished = 1 WHERE session = ? AND id = ?', no, JSON.stringify(id))
  if (summary !== undefined) sql.run('UPDATE session SET summary = ? WHERE no = ?', summary?.json ?? null, no)
  sql.run(
    'UPDATE session SET messages = ?, events = events + ?, last_at = max(last_at, ?) WHERE no = ?',
    ...[after, added, at, no],
  )
}

function cutFrom(sql: Sql, no: number, from: number): void {
  sql.run('DELETE FROM source WHERE session = ? AND message >= ?', no, from)
  sql.run('DELETE FROM artifact WHERE session = ? AND message >= ?', no, from)
  sql.run('DELETE FROM job WHERE session = ? AND behind > ?', no, from)
}
