import type {
  ArtifactTouch,
  DecisionSession,
  DecisionSessionRef,
  SourceMessage,
  StoredSummary,
} from '@palimpsest/decisions'
import { batchRows, checkTake, decodeRow, rangeBounds } from '@palimpsest/decisions/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { readEvents } from './event-rows.ts'
import { readPendingJobs, releaseJob, takeJob } from './job-rows.ts'
import { lockSession, readSession, type SessionRow } from './session-row.ts'
import { writeBatch } from './write-batch.ts'

/** A handle of a session. Handles hold nothing of their own: any number of them may be open. */
export function createPostgresDecisionSession(
  database: Database,
  { no, principal: packed }: Pick<SessionRow, 'no' | 'principal'>,
  { principal, key }: Required<DecisionSessionRef>,
): DecisionSession {
  const read = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => database.read({ principal: packed }, work)
  const write = <T>(work: (sql: Sql, session: SessionRow) => Promise<T>): Promise<T> =>
    database.write({ principal: packed, session: no }, async (sql) => work(sql, await lockSession(sql, no)))
  const readList = <T>(query: string, ...bounds: readonly number[]): Promise<T[]> =>
    read(async (sql) =>
      (await sql.all<{ json: string }>(query, no, ...bounds)).map(({ json }) => decodeRow<T>(json)),
    )

  return {
    principal,
    key,
    count: () => read(async (sql) => (await readSession(sql, no)).messages),
    sources(range) {
      const { from, to } = rangeBounds(range)
      return readList<SourceMessage>(
        `SELECT json FROM decisions_source WHERE session = $1 AND message >= $2::double precision
           AND message < $3::double precision ORDER BY message`,
        ...[from, to],
      )
    },
    artifacts: () =>
      readList<ArtifactTouch>(
        'SELECT json FROM decisions_artifact WHERE session = $1 ORDER BY message, call, no',
      ),
    summary: () =>
      read(async (sql) => {
        const { summary } = await readSession(sql, no)
        return summary === null ? null : decodeRow<StoredSummary>(summary)
      }),
    pendingJobs: () => read((sql) => readPendingJobs(sql, no)),
    async takeJob(id, input) {
      const taking = checkTake(input)
      return write((sql) => takeJob(sql, no, id, taking))
    },
    releaseJob: (id, holder) => write((sql) => releaseJob(sql, no, id, holder)),
    events: (query) => read((sql) => readEvents(sql, principal, query)),
    async commit(batch, at) {
      const rows = batchRows(batch, at)
      await write((sql, session) => writeBatch(sql, session, rows, at))
    },
  }
}
