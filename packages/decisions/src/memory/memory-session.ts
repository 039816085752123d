import type { DecisionSession, ExtractionJob, StoredEvent } from '../store/decision-store.ts'
import { type BatchRows, countAfter } from '../store-kit/batch-rows.ts'
import { createSession, type JobState, toStoredEvents } from '../store-kit/create-session.ts'

/** One session of a store in memory. Rows are JSON texts: a reader cannot change them. */
export interface SessionState {
  readonly principal: string
  readonly key: string
  readonly createdAt: number
  lastAt: number
  /** Events that were written by way of this session. */
  events: number
  /** The message at each index. */
  readonly sources: string[]
  artifacts: { readonly message: number; readonly call: number; readonly json: string }[]
  readonly jobs: Map<string, Omit<ExtractionJob, 'id'> & JobState>
  summary: string | null
}

/** The log of one principal. */
export interface LogState {
  readonly ids: Set<string>
  /** The events of each scope, in order. */
  readonly scopes: Map<string, { readonly seq: number; readonly json: string }[]>
}

/** All of a store. */
export interface MemoryState {
  readonly sessions: Map<string, SessionState>
  readonly logs: Map<string, LogState>
  /** The place of the last event. */
  lastSeq: number
}

/** Events of some scopes behind a place of the log, in order. */
export function readEvents(
  log: LogState | undefined,
  { scopes, after = 0 }: { readonly scopes: readonly string[]; readonly after?: number },
): StoredEvent[] {
  const rows = [...new Set(scopes)].flatMap((scope) => {
    const all = log?.scopes.get(scope) ?? []
    return all.slice(all.findLastIndex(({ seq }) => seq <= after) + 1)
  })
  return toStoredEvents(rows.sort((left, right) => left.seq - right.seq))
}

/** Writes a batch: all of it, because what can fail comes first. @throws StoreError `STORE_CONFLICT` */
function writeBatch(state: MemoryState, session: SessionState, rows: BatchRows, at: number): void {
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
