import { type Connection, insertSealed, type Sql } from '@palimpsest/sqlite-kit'
import { type BatchRows, countAfter } from '../store/batch-rows.ts'
import type {
  DecisionSession,
  DecisionSessionRef,
  ExtractionJob,
  StoredEvent,
} from '../store/decision-store.ts'
import {
  createSession,
  decodeRow,
  type JobPlan,
  type JobState,
  toStoredEvents,
} from '../store/session-handle.ts'
import { StoreError } from '../store/store-error.ts'
import { SOURCE_TABLE } from './schema.ts'

/** A handle of the session with this number. */
export function createSqliteSession(
  connection: Connection,
  no: number,
  ref: Required<DecisionSessionRef>,
): DecisionSession {
  return createSession(ref, {
    state: () => connection.read((sql) => ({ messages: readCount(sql, no), jobsEnd: jobsEnd(sql, no) })),
    sources: (from, to) =>
      connection.direct((sql) =>
        sql
          .all<{ json: string }>(
            'SELECT json FROM source WHERE session = ? AND message >= ? AND message < ? ORDER BY message',
            ...[no, from, to],
          )
          .map(({ json }) => json),
      ),
    pendingJobs: () => connection.direct((sql) => readPendingJobs(sql, no)),
    changeJob: (id, plan) => connection.write((sql) => changeJob(sql, no, id, plan)),
    events: (query) => connection.read((sql) => readEvents(sql, ref.principal, query)),
    write: (rows, at) => connection.write((sql) => writeBatch(sql, no, ref.principal, rows, at)),
  })
}

/** @throws StoreError `STORE_CORRUPT` when the row is gone: sessions are never deleted. */
function readCount(sql: Sql, no: number): number {
  const row = sql.get<{ messages: number }>('SELECT messages FROM session WHERE no = ?', no)
  if (row === undefined)
    throw new StoreError('STORE_CORRUPT', 'a session is missing in the store; take an older copy')
  return row.messages
}

function jobsEnd(sql: Sql, no: number): number {
  const query = 'SELECT ifnull(max(behind), 0) AS place FROM job WHERE session = ?'
  return sql.get<{ place: number }>(query, no)?.place ?? 0
}

function readPendingJobs(sql: Sql, session: number): ExtractionJob[] {
  const rows = sql.all<ExtractionJob>(
    `SELECT id, first AS "from", behind AS "to", version, attempts FROM job
     WHERE session = ? AND finished = 0 ORDER BY no`,
    session,
  )
  return rows.map((row) => ({ ...row, id: decodeRow(row.id) }))
}

/** Events of some scopes of a principal after a place of the log, in order. */
export function readEvents(
  sql: Sql,
  principal: string,
  { scopes, after = 0 }: { readonly scopes: readonly string[]; readonly after?: number },
): StoredEvent[] {
  const rows = sql.all<{ seq: number; json: string }>(
    `SELECT seq, json FROM event
     WHERE principal = ? AND scope IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq`,
    ...[JSON.stringify(principal), JSON.stringify(scopes.map((scope) => JSON.stringify(scope))), after],
  )
  return toStoredEvents(rows)
}

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

/** Within a transaction. @throws StoreError `STORE_CONFLICT` */
function writeBatch(sql: Sql, no: number, principal: string, rows: BatchRows, at: number): void {
  const after = countAfter(readCount(sql, no), rows, readEvents(sql, principal, rows.unknown))
  if (rows.replaceFrom !== undefined) {
    sql.run('DELETE FROM source WHERE session = ? AND message >= ?', no, rows.replaceFrom)
    sql.run('DELETE FROM job WHERE session = ? AND behind > ?', no, rows.replaceFrom)
  }
  for (const { message, json } of rows.sources)
    insertSealed(sql, SOURCE_TABLE, { session: no, message, json })
  let added = 0
  for (const { id, scope, json } of rows.events) {
    const names = [JSON.stringify(principal), JSON.stringify(id)]
    if (sql.get('SELECT 1 FROM event WHERE principal = ? AND id = ?', ...names) !== undefined) continue
    sql.run(
      'INSERT INTO event (principal, id, scope, json) VALUES (?, ?, ?, ?)',
      ...[...names, JSON.stringify(scope), json],
    )
    added++
  }
  for (const { id, from, to, version, attempts } of rows.jobs)
    sql.run(
      `INSERT INTO job (session, id, first, behind, version, attempts) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (session, id) DO NOTHING`,
      ...[no, JSON.stringify(id), from, to, version, attempts],
    )
  for (const id of rows.finished)
    sql.run('UPDATE job SET finished = 1 WHERE session = ? AND id = ?', no, JSON.stringify(id))
  sql.run(
    'UPDATE session SET messages = ?, events = events + ?, last_at = max(last_at, ?) WHERE no = ?',
    ...[after, added, at, no],
  )
}
