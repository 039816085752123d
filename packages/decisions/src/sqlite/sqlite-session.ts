import type { Connection } from '@palimpsest/sqlite-kit'
import type { DecisionSession, DecisionSessionRef } from '../store/decision-store.ts'
import { createSession } from '../store-kit/create-session.ts'
import { readEvents } from './event-rows.ts'
import { changeJob, readPendingJobs } from './job-rows.ts'
import { readSession } from './session-row.ts'
import { writeBatch } from './write-batch.ts'

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
