import { insertSealed, type Sql } from '@palimpsest/sqlite-kit'
import type { BatchRows } from '../store-kit/batch-rows.ts'
import { countAfter } from '../store-kit/count-after.ts'
import { appendEvents, readEvents } from './event-rows.ts'
import { SOURCE_TABLE } from './migrations.ts'
import { readSession } from './session-row.ts'

/** Writes a batch, within a transaction. @throws StoreError `STORE_CONFLICT` */
export function writeBatch(sql: Sql, no: number, rows: BatchRows, at: number): void {
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
