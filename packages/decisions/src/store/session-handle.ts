import { lazily, parseOptions, z } from '@palimpsest/core/options'
import type { DecisionEvent } from '../log/decision-event.ts'
import type { SourceMessage } from '../log/source.ts'
import { type BatchRows, batchRows } from './batch-rows.ts'
import {
  DEFAULT_PRINCIPAL,
  type DecisionSession,
  type DecisionSessionRef,
  type ExtractionJob,
  type StoredEvent,
} from './decision-store.ts'
import { nameSchema, timeSchema } from './event-schema.ts'
import { StoreError } from './store-error.ts'

/** The holder of a job, and the end of the lease. */
export interface JobState {
  readonly attempts: number
  readonly finished: boolean
  readonly holder: string | null
  /** Milliseconds since the epoch. */
  readonly until: number | null
}

/** The new state of a job; undefined: it stays. `now`: by the store's own clock, where several machines share it. */
export type JobPlan = (job: JobState | undefined, now?: number) => JobState | undefined

/** A store's way to read and write one session. JSON texts are those of `batchRows`. */
export interface SessionRows {
  state(): Promise<{ readonly messages: number; readonly jobsEnd: number }>
  /** Messages from an index up to and without another, neither of them negative, in order. */
  sources(from: number, to: number): Promise<readonly string[]>
  pendingJobs(): Promise<readonly ExtractionJob[]>
  /** Reads a job and writes what the plan says of it, as one transaction. Whether there was something to write. */
  changeJob(id: string, plan: JobPlan): Promise<boolean>
  events(query: Parameters<DecisionSession['events']>[0]): Promise<readonly StoredEvent[]>
  /** Writes a batch as one transaction; `countAfter` says what must hold. */
  write(rows: BatchRows, at: number): Promise<void>
}

/** A handle of one session. It holds nothing of its own: any number of them may be open. */
export function createSession(
  { principal, key }: Required<DecisionSessionRef>,
  rows: SessionRows,
): DecisionSession {
  return {
    principal,
    key,
    count: async () => (await rows.state()).messages,
    jobsEnd: async () => (await rows.state()).jobsEnd,
    async sources({ from = 0, to = Number.MAX_SAFE_INTEGER } = {}) {
      const texts = await rows.sources(Math.max(0, from), Math.max(0, to))
      return texts.map((json) => decodeRow<SourceMessage>(json))
    },
    pendingJobs: () => rows.pendingJobs(),
    async takeJob(id, input) {
      const { holder, at, until } = parseOptions(takeSchema(), input, '')
      return rows.changeJob(id, (job, now = at) => {
        if (job === undefined || job.finished) return undefined
        if (job.holder !== null && job.holder !== holder && (job.until ?? 0) > now) return undefined
        return { finished: false, attempts: job.attempts + 1, holder, until: now + until - at }
      })
    },
    async releaseJob(id, holder) {
      await rows.changeJob(id, (job) => {
        if (job === undefined || job.finished || job.holder !== holder) return undefined
        return { finished: false, attempts: job.attempts - 1, holder: null, until: null }
      })
    },
    events: (query) => rows.events(query),
    async commit(batch, at) {
      await rows.write(batchRows(batch, key, at), at)
    },
  }
}

const takeSchema = lazily(() => z.object({ holder: nameSchema(), at: timeSchema(), until: timeSchema() }))

/** Rows of the log as events. */
export function toStoredEvents(
  rows: readonly { readonly seq: number; readonly json: string }[],
): StoredEvent[] {
  return rows.map(({ seq, json }) => ({ seq, event: decodeRow<DecisionEvent>(json) }))
}

/** Reads what a store has written. @throws StoreError `STORE_CORRUPT` */
export function decodeRow<T>(json: string): T {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new StoreError('STORE_CORRUPT', 'a row of the store is damaged; take an older copy', { cause })
  }
}

const refSchema = lazily(() =>
  z.object({ principal: nameSchema().default(DEFAULT_PRINCIPAL), key: nameSchema() }),
)

/** A session's name with its principal. @throws InvalidOptionError when one of them cannot be a name. */
export function checkRef(ref: DecisionSessionRef): Required<DecisionSessionRef> {
  return parseOptions(refSchema(), ref, '')
}
