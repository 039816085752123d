import type { DecisionSession, DecisionSessionRef } from '@palimpsest/decisions'
import { createSession } from '@palimpsest/decisions/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { readEvents } from './event-rows.ts'
import { changeJob, readPendingJobs } from './job-rows.ts'
import { lockSession, readSession, type SessionRow } from './session-row.ts'
import { writeBatch } from './write-batch.ts'

/** A handle of a session. */
export function createPostgresDecisionSession(
  database: Database,
  { no, principal: packed }: Pick<SessionRow, 'no' | 'principal'>,
  ref: Required<DecisionSessionRef>,
): DecisionSession {
  const read = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => database.read({ principal: packed }, work)
  const write = <T>(work: (sql: Sql, session: SessionRow) => Promise<T>): Promise<T> =>
    database.write({ principal: packed, session: no }, async (sql) => work(sql, await lockSession(sql, no)))
  const readTexts = (query: string, ...bounds: readonly number[]): Promise<string[]> =>
    read(async (sql) => (await sql.all<{ json: string }>(query, no, ...bounds)).map(({ json }) => json))

  return createSession(ref, {
    state: () =>
      read(async (sql) => {
        const { messages } = await readSession(sql, no)
        const end = 'SELECT max(behind) AS place FROM decisions_job WHERE session = $1'
        return { messages, jobsEnd: (await sql.get<{ place: number | null }>(end, no))?.place ?? 0 }
      }),
    sources: (from, to) =>
      readTexts(
        `SELECT json FROM decisions_source WHERE session = $1 AND message >= $2::double precision
           AND message < $3::double precision ORDER BY message`,
        ...[from, to],
      ),
    pendingJobs: () => read((sql) => readPendingJobs(sql, no)),
    changeJob: (id, plan) => write((sql) => changeJob(sql, no, id, plan)),
    events: (query) => read((sql) => readEvents(sql, ref.principal, query)),
    write: (rows, at) => write((sql, session) => writeBatch(sql, session, rows, at)),
  })
}
