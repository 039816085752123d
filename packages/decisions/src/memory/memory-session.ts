import type { DecisionSession } from '../store/decision-store.ts'
import { createSession } from '../store-kit/create-session.ts'
import type { MemoryState, SessionState } from './memory-state.ts'
import { readEvents } from './read-events.ts'
import { writeBatch } from './write-batch.ts'

/** A handle of one session. */
export function createMemorySession(
  state: MemoryState,
  session: SessionState,
  assertOpen: () => void,
): DecisionSession {
  const open = (): SessionState => {
    assertOpen()
    return session
  }
  return createSession(session, {
    async state() {
      const { sources, summary } = open()
      return { messages: sources.length, summary }
    },
    sources: async (from, to) => open().sources.slice(from, to),
    artifacts: async () =>
      open()
        .artifacts.toSorted((left, right) => left.message - right.message || left.call - right.call)
        .map(({ json }) => json),
    pendingJobs: async () =>
      [...open().jobs]
        .filter(([, { finished }]) => !finished)
        .map(([id, { from, to, version, attempts }]) => ({ id, from, to, version, attempts })),
    async changeJob(id, plan) {
      const job = open().jobs.get(id)
      const changed = plan(job)
      if (job !== undefined && changed !== undefined) session.jobs.set(id, { ...job, ...changed })
      return changed !== undefined
    },
    events: async (query) => readEvents(state.logs.get(open().principal), query),
    async write(rows, at) {
      writeBatch(state, open(), rows, at)
    },
  })
}
