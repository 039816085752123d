import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseOptions } from '@palimpsest/core/options'
import {
  type DecisionSession,
  type DecisionSessionRef,
  type DecisionStore,
  type ExtractionJob,
  type Scope,
  StoreError,
} from '@palimpsest/decisions'
import {
  type BatchRows,
  checkRef,
  countAfter,
  createSession,
  DEFAULT_PRINCIPAL,
  type JobState,
  timeSchema,
  toStoredEvents,
} from '@palimpsest/decisions/store-kit'

type Ref = Required<DecisionSessionRef>

/** One write: a line of the file. A session begins with a line that has neither rows nor a job. */
type Line = Ref & {
  readonly at: number
  readonly rows?: BatchRows
  readonly job?: { readonly id: string; readonly state: JobState }
}

/** A store in a file of JSON lines, which is read again by each call. */
export function createJsonLinesStore(path: string): DecisionStore {
  let closed = false
  const read = () => {
    if (closed) throw new StoreError('STORE_CLOSED', 'the store was closed; open it again')
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    return replay(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line),
    )
  }
  const write = (line: Line) => appendFileSync(path, `${JSON.stringify(line)}\n`)
  const readEvents = ({
    principal = DEFAULT_PRINCIPAL,
    scopes,
    after = 0,
  }: Parameters<DecisionStore['events']>[0]) =>
    toStoredEvents(
      read().log.filter(
        (row) =>
          row.principal === principal && row.seq > after && (scopes as readonly string[]).includes(row.scope),
      ),
    )

  const open = ({ principal, key }: Ref): DecisionSession => {
    const session = () => {
      const found = read().sessions.get(nameOf({ principal, key }))
      if (found === undefined) throw new StoreError('STORE_CORRUPT', `the session ${key} is missing`)
      return found
    }
    return createSession(
      { principal, key },
      {
        async state() {
          const { sources, jobs } = session()
          const jobsEnd = Math.max(0, ...[...jobs.values()].map(({ to }) => to))
          return { messages: sources.length, jobsEnd }
        },
        sources: async (from, to) => session().sources.slice(from, to),
        pendingJobs: async () => [...session().jobs.values()].filter(({ finished }) => !finished).map(toJob),
        async changeJob(id, plan) {
          const state = plan(session().jobs.get(id))
          if (state !== undefined) write({ principal, key, at: 0, job: { id, state } })
          return state !== undefined
        },
        events: async (query) => readEvents({ principal, ...query }),
        async write(rows, at) {
          countAfter(session().sources.length, rows, readEvents({ principal, ...rows.unknown }))
          write({ principal, key, at, rows })
        },
      },
    )
  }

  return {
    kind: 'json-lines',
    location: path,
    async session(given, at) {
      parseOptions(timeSchema(), at, 'at')
      const ref = checkRef(given)
      if (!read().sessions.has(nameOf(ref))) write({ ...ref, at })
      return open(ref)
    },
    async find(given) {
      const ref = checkRef(given)
      return read().sessions.has(nameOf(ref)) ? open(ref) : null
    },
    async list({ principal } = {}) {
      return [...read().sessions.values()]
        .reverse()
        .filter((session) => principal === undefined || session.principal === principal)
        .sort((left, right) => right.lastAt - left.lastAt)
        .map(({ sources, jobs, ...info }) => {
          const pendingJobs = [...jobs.values()].filter(({ finished }) => !finished).length
          return { ...info, messages: sources.length, pendingJobs }
        })
    },
    events: async (query) => readEvents(query),
    async scopes(principal = DEFAULT_PRINCIPAL) {
      const own = read().log.filter((row) => row.principal === principal)
      return [...new Set(own.map(({ scope }) => scope as Scope))]
    },
    async close() {
      closed = true
    },
  }
}

/** What all lines together say. */
function replay(lines: readonly Line[]) {
  const sessions = new Map<string, ReturnType<typeof newSession>>()
  const log: { principal: string; scope: string; id: string; seq: number; json: string }[] = []
  for (const line of lines) {
    const session = sessions.get(nameOf(line)) ?? newSession(line)
    sessions.set(nameOf(line), session)
    const job = line.job && session.jobs.get(line.job.id)
    if (line.job && job) session.jobs.set(job.id, { ...job, ...line.job.state })
    if (line.rows === undefined) continue
    const { replaceFrom, sources, events, jobs, finished } = line.rows
    if (replaceFrom !== undefined) {
      session.sources.length = replaceFrom
      for (const { id, to } of session.jobs.values()) if (to > replaceFrom) session.jobs.delete(id)
    }
    session.sources.push(...sources.map(({ json }) => json))
    for (const { id, scope, json } of events) {
      if (log.some((row) => row.principal === line.principal && row.id === id)) continue
      log.push({ principal: line.principal, scope, id, seq: log.length + 1, json })
      session.events++
    }
    for (const added of jobs)
      if (!session.jobs.has(added.id))
        session.jobs.set(added.id, { ...added, finished: false, holder: null, until: null })
    for (const id of finished) {
      const done = session.jobs.get(id)
      if (done !== undefined) session.jobs.set(id, { ...done, finished: true })
    }
    session.lastAt = Math.max(session.lastAt, line.at)
  }
  return { sessions, log }
}

type Job = ExtractionJob & JobState

function newSession({ principal, key, at }: Line) {
  return {
    principal,
    key,
    createdAt: at,
    lastAt: at,
    events: 0,
    sources: [] as string[],
    jobs: new Map<string, Job>(),
  }
}

function toJob({ id, from, to, version, attempts }: Job): ExtractionJob {
  return { id, from, to, version, attempts }
}

/** No two sessions have the same one, whatever characters their names hold. */
function nameOf({ principal, key }: Ref): string {
  return JSON.stringify([principal, key])
}
