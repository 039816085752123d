import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { DecisionSession } from '../store/decision-store.ts'
import type { StoredSummary } from '../store/stored-summary.ts'
import { batchRows } from '../store-kit/batch-rows.ts'
import { checkTake } from '../store-kit/check-take.ts'
import { decodeRow } from '../store-kit/decode-row.ts'
import { rangeBounds } from '../store-kit/range-bounds.ts'
import type { MemoryState, SessionState } from './memory-state.ts'
import { readEvents } from './read-events.ts'
import { writeBatch } from './write-batch.ts'

/** A handle of one session. Handles hold nothing of their own: any number of them may be open. */
export function createMemorySession(
  state: MemoryState,
  session: SessionState,
  assertOpen: () => void,
): DecisionSession {
  const { principal, key } = session
  return {
    principal,
    key,
    async count() {
      assertOpen()
      return session.sources.length
    },
    async sources(range) {
      assertOpen()
      const { from, to } = rangeBounds(range)
      return session.sources.slice(from, to).map((json) => decodeRow<SourceMessage>(json))
    },
    async artifacts() {
      assertOpen()
      return session.artifacts
        .toSorted((left, right) => left.message - right.message || left.call - right.call)
        .map(({ json }) => decodeRow<ArtifactTouch>(json))
    },
    async summary() {
      assertOpen()
      return session.summary === null ? null : decodeRow<StoredSummary>(session.summary)
    },
    async pendingJobs() {
      assertOpen()
      return [...session.jobs]
        .filter(([, { finished }]) => !finished)
        .map(([id, { from, to, version, attempts }]) => ({ id, from, to, version, attempts }))
    },
    async takeJob(id, input) {
      assertOpen()
      const { holder, at, until } = checkTake(input)
      const job = session.jobs.get(id)
      if (job === undefined || job.finished) return false
      if (job.holder !== undefined && job.holder !== holder && (job.until ?? 0) > at) return false
      Object.assign(job, { holder, until, attempts: job.attempts + 1 })
      return true
    },
    async releaseJob(id, holder) {
      assertOpen()
      const job = session.jobs.get(id)
      if (job === undefined || job.finished || job.holder !== holder) return
      Object.assign(job, { holder: undefined, until: undefined, attempts: job.attempts - 1 })
    },
    async events(query) {
      assertOpen()
      return readEvents(state.logs.get(principal), query)
    },
    async commit(batch, at) {
      assertOpen()
      writeBatch(state, session, batchRows(batch, at), at)
    },
  }
}
