import type { ExtractionJob } from '../store/extraction-job.ts'
import type { JobState } from '../store-kit/create-session.ts'

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
