import type { DecisionEvent, Scope } from '../log/decision-event.ts'
import type { SourceMessage } from '../log/source.ts'

/** Whose session it is. */
export interface DecisionSessionRef {
  /** A user or a tenant. Default `local`. */
  readonly principal?: string
  /** The session's id. */
  readonly key: string
}

/** The owner of a session that names none. */
export const DEFAULT_PRINCIPAL = 'local'

/** An event with its place in the store's log. */
export interface StoredEvent {
  /** Grows with every event of the principal, whatever its scope; not without gaps. */
  readonly seq: number
  readonly event: DecisionEvent
}

/** Messages that a model has yet to read. */
export interface ExtractionJob {
  /** From session, range, version and text (`jobId`): the same job twice is one. */
  readonly id: string
  /** Messages of the transcript, the first and one past the last. */
  readonly from: number
  readonly to: number
  /** Version of the extraction that it is for. */
  readonly version: number
  /** Number of times that it was taken. */
  readonly attempts: number
}

/** A transaction: all of it is written, or nothing. */
export interface DecisionBatch {
  /** The place of the log up to which the writer knows a scope. Default: what others did meanwhile does not matter. */
  readonly known?: { readonly scope: Scope; readonly seq: number }
  /** Messages from this index on are replaced by `sources`: their jobs go too, events stay. */
  readonly replaceFrom?: number
  /** Messages that follow on what is stored (or on `replaceFrom`), without a gap. */
  readonly sources?: readonly SourceMessage[]
  /** Events; one whose id is in the store is passed over. */
  readonly events?: readonly DecisionEvent[]
  /** New work for a model; a job whose id is in the store is passed over. */
  readonly jobs?: readonly ExtractionJob[]
  /** Ids of jobs that are done. */
  readonly finished?: readonly string[]
}

/** One session in a store. */
export interface DecisionSession {
  readonly principal: string
  readonly key: string
  /** Number of stored messages. */
  count(): Promise<number>
  /** Stored messages from an index up to and without another, in order. Default: all. */
  sources(range?: { readonly from?: number; readonly to?: number }): Promise<readonly SourceMessage[]>
  /** Jobs that are not finished, the oldest first. */
  pendingJobs(): Promise<readonly ExtractionJob[]>
  /** One past the last message that is in a job, finished or not; 0 without jobs. */
  jobsEnd(): Promise<number>
  /**
   * Takes a job for a while, so that no other worker does it too, and counts the attempt. False when it is finished, or another
   * holder has it until later than `at`. Times in milliseconds. A store that several machines share uses its own clock: then
   * `until - at` is for how long.
   */
  takeJob(
    id: string,
    input: { readonly holder: string; readonly at: number; readonly until: number },
  ): Promise<boolean>
  /** Gives a job back as if it had not been taken. Nothing happens when another has it. */
  releaseJob(id: string, holder: string): Promise<void>
  /** Events of some scopes after a place of the log, in order. Scopes belong to the principal, not to the session. */
  events(query: {
    readonly scopes: readonly Scope[]
    readonly after?: number
  }): Promise<readonly StoredEvent[]>
  /**
   * Writes a batch as one transaction; it is durable when the promise resolves.
   *
   * @throws StoreError `STORE_CONFLICT` when `sources` do not follow on what is stored, when `replaceFrom` or a job is beyond
   * it, and when messages of the session were taken back after the place that is `known`.
   * @throws InvalidOptionError names the first field that is wrong; nothing is written then.
   */
  commit(batch: DecisionBatch, at: number): Promise<void>
}

export interface DecisionSessionInfo {
  readonly principal: string
  readonly key: string
  readonly messages: number
  readonly events: number
  readonly pendingJobs: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly lastAt: number
}

/** Where decisions are kept. Every method may be called at any time, and rejects with a `StoreError`. */
export interface DecisionStore {
  /** `memory`, `sqlite`, … */
  readonly kind: string
  /** Where it is, for people. */
  readonly location?: string
  /** The session of a key; it is made when there is none. */
  session(ref: DecisionSessionRef, at: number): Promise<DecisionSession>
  /** Null when there is none. Writes nothing. */
  find(ref: DecisionSessionRef): Promise<DecisionSession | null>
  /** Sessions of a principal (default: of everybody), the one written to last first. */
  list(query?: { readonly principal?: string }): Promise<readonly DecisionSessionInfo[]>
  /** Events of some scopes, without a session. */
  events(query: {
    readonly principal?: string
    readonly scopes: readonly Scope[]
    readonly after?: number
  }): Promise<readonly StoredEvent[]>
  /** Scopes that have events, of a principal (default `local`). */
  scopes(principal?: string): Promise<readonly Scope[]>
  /** Faults that only the store can see: pages, references, rows that are not what was written. Default: it sees none. */
  check?(): Promise<readonly { readonly code: string; readonly message: string }[]>
  close(): Promise<void>
}
