import type { Connection } from '@palimpsest/sqlite-kit'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { DecisionSession, DecisionSessionRef } from '../store/decision-store.ts'
import type { StoredSummary } from '../store/stored-summary.ts'
import { batchRows } from '../store-kit/batch-rows.ts'
import { checkTake } from '../store-kit/check-take.ts'
import { decodeRow } from '../store-kit/decode-row.ts'
import { rangeBounds } from '../store-kit/range-bounds.ts'
import { readEvents } from './event-rows.ts'
import { readPendingJobs, releaseJob, takeJob } from './job-rows.ts'
import { readSession } from './session-row.ts'
import { writeBatch } from './write-batch.ts'

/** A handle of the session with this number. Handles hold nothing of their own: any number of them may be open. */
export function createSqliteSession(
  connection: Connection,
  no: number,
  { principal, key }: Required<DecisionSessionRef>,
): DecisionSession {
  return {
    principal,
    key,
    count: () => connection.direct((sql) => readSession(sql, no).messages),
    sources: (range) => {
      const { from, to } = rangeBounds(range)
      return connection.direct((sql) =>
        sql
          .all<{ json: string }>(
            'SELECT json FROM source WHERE session = ? AND message >= ? AND message < ? ORDER BY message',
            ...[no, from, to],
          )
          .map(({ json }) => decodeRow<SourceMessage>(json)),
      )
    },
    artifacts: () =>
      connection.direct((sql) =>
        sql
          .all<{ json: string }>('SELECT json FROM artifact WHERE session = ? ORDER BY message, call, no', no)
          .map(({ json }) => decodeRow<ArtifactTouch>(json)),
      ),
    summary: () =>
      connection.direct((sql) => {
        const { summary } = readSession(sql, no)
        return summary === null ? null : decodeRow<StoredSummary>(summary)
      }),
    pendingJobs: () => connection.direct((sql) => readPendingJobs(sql, no)),
    async takeJob(id, input) {
      const taking = checkTake(input)
      return connection.write((sql) => takeJob(sql, no, id, taking))
    },
    releaseJob: (id, holder) => connection.write((sql) => releaseJob(sql, no, id, holder)),
    events: (query) => connection.read((sql) => readEvents(sql, readSession(sql, no).principal, query)),
    async commit(batch, at) {
      const rows = batchRows(batch, at)
      await connection.write((sql) => writeBatch(sql, no, rows, at))
    },
  }
}
