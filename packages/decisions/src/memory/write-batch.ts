import type { BatchRows } from '../store-kit/batch-rows.ts'
import { countAfter } from '../store-kit/count-after.ts'
import type { LogState, MemoryState, SessionState } from './memory-state.ts'
import { readEvents } from './read-events.ts'

/** Writes a batch: all of it, because what can fail comes first. @throws StoreError `STORE_CONFLICT` */
export function writeBatch(state: MemoryState, session: SessionState, rows: BatchRows, at: number): void {
  countAfter(session.sources.length, rows, readEvents(state.logs.get(session.principal), rows.unknown))
  const { replaceFrom, sources, artifacts, jobs, finished, summary } = rows
  if (replaceFrom !== undefined) cutFrom(session, replaceFrom)
  for (const { json } of sources) session.sources.push(json)
  session.events += appendEvents(state, session.principal, rows)
  for (const touch of artifacts) session.artifacts.push(touch)
  for (const { id, ...job } of jobs)
    if (!session.jobs.has(id)) session.jobs.set(id, { ...job, finished: false, holder: null, until: null })
  for (const id of finished) {
    const job = session.jobs.get(id)
    if (job !== undefined) session.jobs.set(id, { ...job, finished: true })
  }
  if (summary !== undefined) session.summary = summary?.json ?? null
  session.lastAt = Math.max(session.lastAt, at)
}

function cutFrom(session: SessionState, from: number): void {
  session.sources.length = from
  session.artifacts = session.artifacts.filter(({ message }) => message < from)
  for (const [id, { to }] of session.jobs) if (to > from) session.jobs.delete(id)
}

/** Returns how many of them are new. */
function appendEvents(state: MemoryState, principal: string, { events }: BatchRows): number {
  const log = logOf(state, principal)
  let added = 0
  for (const { id, scope, json } of events) {
    if (log.ids.has(id)) continue
    log.ids.add(id)
    const list = log.scopes.get(scope) ?? []
    log.scopes.set(scope, list)
    list.push({ seq: ++state.lastSeq, json })
    added++
  }
  return added
}

function logOf({ logs }: MemoryState, principal: string): LogState {
  const log = logs.get(principal) ?? { ids: new Set(), scopes: new Map() }
  logs.set(principal, log)
  return log
}
