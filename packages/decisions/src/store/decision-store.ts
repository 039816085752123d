import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { DecisionEvent, Scope } from '../log/decision-event.ts'

/** Whose session it is. */
export interface DecisionSessionRef {
  /** A user or a tenant. Default `local`. */
  readonly principal?: string
  /** The session's id. */
  readonly key: string
}

/** An event with its place in the store's log. */
export interface StoredEvent {
  /** Grows with every event of the principal, whatever its scope; not without gaps. */
  readonly seq: number
  readonly event: DecisionEvent
}

/** A transaction: all of it is written, or nothing. */
export interface DecisionBatch {
  /** The place of the log up to which the writer knows a scope. Default: what others did meanwhile does not matter. */
  readonly known?: { readonly scope: Scope; readonly seq: number }
  /** Messages of the transcript from this index on are replaced by `sources`: artifacts and jobs of theirs go too, events stay. */
  readonly replaceFrom?: number
  /** Messages of the transcript that follow on what is stored (or on `replaceFrom`), without a gap. */
  readonly sources?: readonly SourceMessage[]
  /** Events; one whose id is in the store is passed over. */
  readonly events?: readonly DecisionEvent[]
  readonly artifacts?: readonly ArtifactTouch[]
  /** New work for a model; one whose id is in the store is passed over. */
  readonly jobs?: readonly ExtractionJob[]
  /** Jobs that are done with, by id: they are not pending any more. */
  readonly finished?: readonly string[]
  /** The summary that stands for the beginning of the transcript by now; null takes it away. A replacement leaves it. */
  readonly summary?: StoredSummary | null
}

/** One session in a store. */
export interface DecisionSession {
  readonly principal: string
  readonly key: string
  /** Number of stored messages of the transcript. */
  count(): Promise<number>
  /** Stored messages from an index up to and without another, in order. Default: all. */
  sources(range?: { readonly from?: number; readonly to?: number }): Promise<readonly SourceMessage[]>
  artifacts(): Promise<readonly ArtifactTouch[]>
  summary(): Promise<StoredSummary | null>
  /** Jobs that are not finished, the oldest first. */
  pendingJobs(): Promise<readonly ExtractionJob[]>
  /**
   * Takes a job for a while, so that no other worker does it too, and counts the attempt. False when it is finished, or taken by
   * another holder until later than `at`. Times in milliseconds. A store that several machines share goes by its own clock:
   * `until - at` is for how long.
   */
  takeJob(
    id: string,
    input: { readonly holder: string; readonly at: number; readonly until: number },
  ): Promise<boolean>
  /** Gives a job back that was not worked on to its end, as if it had not been taken. Nothing happens when another has it. */
  releaseJob(id: string, holder: string): Promise<void>
  /** Events of some scopes behind a place of the log, in order. Scopes belong to the principal, not to the session. */
  events(query: {
    readonly scopes: readonly Scope[]
    readonly after?: number
  }): Promise<readonly StoredEvent[]>
  /**
   * Writes a batch as one transaction; it is durable when the promise resolves.
   *
   * @throws StoreError `STORE_CONFLICT` when `sources` do not follow on what is stored, when `replaceFrom` lies behind it, or
   * when an artifact, a job or the summary is about messages that are not there after the batch, and when messages of the
   * session were taken back behind the place that is `known`.
   * @throws InvalidOptionError names the first field that is none: it is checked before anything is written.
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
  /** Events of a scope without a session, as an export of a project needs them. */
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

/** Turns that a model has yet to read. */
export interface ExtractionJob {
  /** From session, range and version (`jobId`): the same job twice is one. */
  readonly id: string
  /** Messages of the transcript, the first and one behind the last. */
  readonly from: number
  readonly to: number
  /** Version of the extraction that it is for. */
  readonly version: number
  /** Number of times that it was taken. */
  readonly attempts: number
}

/** The summary of the beginning of a transcript, so that a restarted session need not write it again. */
export interface StoredSummary {
  /** Number of messages that it stands for, from the beginning. */
  readonly messages: number
  /** A hash of those messages, with their turns and roles, in hexadecimal: an edited history has another one. */
  readonly prefixHash: string
  readonly text: string
}

/** The owner of a session that names none. */
export const DEFAULT_PRINCIPAL = 'local'
