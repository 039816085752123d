import { createPause } from '@palimpsest/core'
import { lazily, parseOptions, z } from '@palimpsest/core/options'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { StoreError } from '../errors/store-error.ts'
import type { DecisionEvent } from '../log/decision-event.ts'
import {
  DEFAULT_PRINCIPAL,
  type DecisionSession,
  type DecisionSessionRef,
  type ExtractionJob,
  type StoredEvent,
  type StoredSummary,
} from '../store/decision-store.ts'
import { nameSchema, timeSchema } from '../store/event-schema.ts'
import { type BatchRows, batchRows } from './batch-rows.ts'

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
  state(): Promise<{ readonly messages: number; readonly summary: string | null }>
  /** Messages from an index up to and without another, neither of them negative, in order. */
  sources(from: number, to: number): Promise<readonly string[]>
  /** By message and call. */
  artifacts(): Promise<readonly string[]>
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
    async sources({ from = 0, to = Number.MAX_SAFE_INTEGER } = {}) {
      const sources = await rows.sources(Math.max(0, from), Math.max(0, to))
      return sources.map((json) => decodeRow<SourceMessage>(json))
    },
    async artifacts() {
      const artifacts: ArtifactTouch[] = []
      const pause = createPause()
      for (const json of await rows.artifacts()) {
        artifacts.push(decodeRow<ArtifactTouch>(json))
        await pause()
      }
      return artifacts
    },
    async summary() {
      const { summary } = await rows.state()
      return summary === null ? null : decodeRow<StoredSummary>(summary)
    },
    pendingJobs: () => rows.pendingJobs(),
    async takeJob(id, input) {
      const taking = parseOptions(takeSchema(), input, '')
      return rows.changeJob(id, (job, now) => planTake(job, taking, now))
    },
    async releaseJob(id, holder) {
      await rows.changeJob(id, (job) => planRelease(job, holder))
    },
    events: (query) => rows.events(query),
    async commit(batch, at) {
      await rows.write(batchRows(batch, key, at), at)
    },
  }
}

const takeSchema = lazily(() => z.object({ holder: nameSchema(), at: timeSchema(), until: timeSchema() }))

/** Gives a job to a holder, unless it is finished or another one has it. */
function planTake(
  job: JobState | undefined,
  { holder, at, until }: z.output<ReturnType<typeof takeSchema>>,
  now = at,
): JobState | undefined {
  if (job === undefined || job.finished) return undefined
  if (job.holder !== null && job.holder !== holder && (job.until ?? 0) > now) return undefined
  return { finished: false, attempts: job.attempts + 1, holder, until: now + until - at }
}

/** Takes a job from its holder, who did not work on it to its end. */
function planRelease(job: JobState | undefined, holder: string): JobState | undefined {
  if (job === undefined || job.finished || job.holder !== holder) return undefined
  return { finished: false, attempts: job.attempts - 1, holder: null, until: null }
}

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
