import type { Message } from './message.ts'

/** Identifies a session and its owner. */
export interface SessionRef {
  /** A user or a tenant. Default `local`. */
  readonly principal?: string
  readonly key: string
}

/** A range of message numbers, both ends inclusive. */
export interface SeqRange {
  readonly first: number
  readonly last: number
}

/** A deletion of content on request. */
export interface Forgetting {
  readonly at: number
  readonly reason: string
}

export interface NewMessage {
  readonly message: Message
  readonly tokens: number
  /** The time of the message, in milliseconds since the epoch. Default: the time of storing. */
  readonly at?: number
}

/** One message of a session's log. */
export interface StoredMessage {
  /** Grows by one with each message of the session. */
  readonly seq: number
  readonly role: string
  readonly at: number
  readonly tokens: number
  /** Null if the content was deleted or is damaged. A damaged message may have the role `unknown`. */
  readonly message: Message | null
  /** True if an edit of the host removed it from the conversation. */
  readonly replaced: boolean
  readonly forgotten?: Forgetting
  /** The row differs from what was stored. */
  readonly damaged?: true
}

/** A text that replaces a run of messages, or of other summaries. */
export interface Summary extends SeqRange {
  /** Counts from 1 in each session. */
  readonly number: number
  /** 0 for a summary of messages; one more than its deepest child otherwise. */
  readonly depth: number
  /** Number of live messages that it covered when it was written. */
  readonly messages: number
  /** The summaries that it condenses, in order; empty for a summary of messages. */
  readonly children: readonly number[]
  readonly text: string
  readonly tokens: number
  readonly sourceTokens: number
  /** `pointer`: the text only names messages that can be read back. */
  readonly writer: 'model' | 'extractive' | 'pointer'
  readonly at: number
  /** The time of the first covered message; `to`: of the last. */
  readonly from: number
  readonly to: number
  readonly forgotten?: Forgetting
  readonly damaged?: true
}

/**
 * The cause of a frontier: `start`, a `compaction`, an `edit` of the host, an `undo` of a compaction, or a deletion on
 * request (`forget`), whose list is the previous one.
 */
export type FrontierReason = 'start' | 'compaction' | 'edit' | 'undo' | 'forget'

/**
 * The summaries that show a conversation, without gap or overlap, from the first message that is not an instruction.
 * Later messages are shown as they are.
 */
export interface Frontier {
  /** 0 at the start; grows by one with each change. */
  readonly version: number
  readonly reason: FrontierReason
  /** The number of the next message when the frontier was made. */
  readonly nextSeq: number
  readonly at: number
  readonly summaries: readonly number[]
  /** The row differs from what was stored; the list is then empty, and all messages are intact. */
  readonly damaged?: true
}

/** The state of a session that a write is checked against. */
export interface Head {
  readonly nextSeq: number
  readonly nextSummary: number
  readonly version: number
  /** Number of times that the host removed messages. */
  readonly edits: number
  /** Ranges of replaced messages, sorted and disjoint. */
  readonly replaced: readonly SeqRange[]
  readonly createdAt: number
}

export interface AppendInput {
  /** The `nextSeq` of the head that the writer knows. */
  readonly nextSeq: number
  readonly messages: readonly NewMessage[]
  readonly at: number
  /** The `edits` of the head that the writer knows. Default: not compared. */
  readonly edits?: number
  /**
   * The first number that the host's edit replaces. Summaries that cover a replaced message, or the last remaining one
   * if none is added, are expanded into their children.
   */
  readonly replaceFrom?: number
  /** True stores the messages as replaced, such as a system prompt that was changed. Default false. */
  readonly aside?: boolean
  /** Jobs for these messages, which a crash must not lose. A job with a known id is ignored. */
  readonly jobs?: readonly NewJob[]
}

export interface CommitInput {
  /** The version of the frontier that the plan is based on. */
  readonly version: number
  /** New summaries, children before parents, numbered from the head's `nextSummary`. */
  readonly create: readonly Summary[]
  /** The complete new frontier. */
  readonly summaries: readonly number[]
  readonly reason: 'compaction' | 'undo'
  readonly at: number
}

export interface JobRequest {
  readonly holder: string
  /** Milliseconds since the epoch. A shared database uses its own clock instead. */
  readonly now: number
  readonly ttl: number
}

export interface NewJob {
  /** Jobs with the same id are one job. */
  readonly id: string
  readonly kind: string
  /** A JSON value. */
  readonly body: unknown
}

export interface Job extends NewJob {
  readonly attempts: number
}

export interface NewEvent {
  /** Events with the same id are one event. */
  readonly id: string
  /** A JSON value. */
  readonly body: unknown
}

/** An entry of a log that all sessions of a principal share. */
export interface StoredEvent extends NewEvent {
  /** Grows within a principal, possibly with gaps. */
  readonly seq: number
  readonly scope: string
}

/** Events of one scope, and jobs of this session, written in one transaction. */
export interface RecordInput {
  readonly scope: string
  readonly events: readonly NewEvent[]
  /** New jobs. A job with a known id is ignored. */
  readonly jobs?: readonly NewJob[]
  /** The last event of the scope that the writer knows. Default: not compared. */
  readonly known?: number
  readonly finished?: readonly string[]
}

export interface MessageQuery {
  /** The first number, inclusive. Default: all. */
  readonly first?: number
  readonly last?: number
  /** Default `oldest`. */
  readonly order?: 'oldest' | 'newest'
  readonly limit?: number
  /** True includes replaced messages. Default false. */
  readonly includeReplaced?: boolean
}

/** A term that a text must contain, ignoring case: as a whole word, as the start of one, or anywhere. */
export interface SearchTerm {
  readonly kind: 'word' | 'prefix' | 'substring'
  readonly text: string
}

export interface CandidateQuery extends MessageQuery {
  /** A text must contain one term of each list. An empty list matches every text. */
  readonly where: readonly (readonly SearchTerm[])[]
  readonly limit: number
}

/** A message or summary that may match. The index has no false negatives, but has false positives. */
export interface Candidate {
  /** A message's `seq`, or a summary's `number`. */
  readonly number: number
  /** A message's role, or `summary`. */
  readonly role: string
  readonly at: number
  readonly text: string
  readonly replaced: boolean
}

export interface Forgotten {
  readonly messages: number
  /** Summaries whose text was deleted because they covered a deleted message. */
  readonly summaries: readonly number[]
}

/**
 * A session of a principal. Every write is one transaction, durable when its promise resolves. Methods reject with a
 * `StoreError`, or with core's `InvalidOptionError` for an invalid time or count.
 */
export interface StoredSession {
  readonly principal: string
  readonly key: string
  head(): Promise<Head>
  /** Appends messages. @throws StoreError `STORE_CONFLICT` if the head has changed; nothing is written then. */
  append(input: AppendInput): Promise<Head>
  messages(query?: MessageQuery): Promise<StoredMessage[]>
  /** Reads a frontier. Default: the current one. @throws StoreError `NOT_FOUND` */
  frontier(version?: number): Promise<Frontier>
  versions(query: { readonly before?: number; readonly limit: number }): Promise<Frontier[]>
  /** Reads summaries in the requested order; unknown numbers are left out. */
  summaries(numbers: readonly number[]): Promise<Summary[]>
  /** Writes summaries and a new frontier. @throws StoreError `STORE_CONFLICT`, `INVALID_FRONTIER` */
  commit(input: CommitInput): Promise<Frontier>
  candidates(among: 'messages' | 'summaries', query: CandidateQuery): Promise<Candidate[]>
  /**
   * Permanently deletes the content of messages, and all summaries that cover them, from the store and its index, and the
   * stored prompt of the session (`PROMPT_STATES`). No other operation loses anything. Idempotent.
   */
  forget(input: SeqRange & Forgetting): Promise<Forgotten>
  /** Lists events of scopes with a number above `after`, in order. */
  events(query: { readonly scopes: readonly string[]; readonly after?: number }): Promise<StoredEvent[]>
  /** Writes events and jobs. @throws StoreError `STORE_CONFLICT` if the scope has an event after `known`. */
  record(input: RecordInput): Promise<void>
  jobs(): Promise<Job[]>
  /** Takes a job for some time. False if it is finished or another holder has it. */
  takeJob(id: string, request: JobRequest): Promise<boolean>
  /** Gives a job back as if it had not been taken. */
  releaseJob(id: string, holder: string): Promise<void>
  /**
   * Reads state that an engine keeps beside the log, such as its last projection. JSON; null if it is absent or
   * damaged.
   */
  state(name: string): Promise<unknown>
  saveState(name: string, value: unknown): Promise<void>
  /**
   * Names of damaged rows that were read since the session was opened, such as `m3`, `s2` or `state projection`. They
   * were left out.
   */
  damaged(): readonly string[]
}

export interface SessionInfo {
  readonly principal: string
  readonly key: string
  /** Number of messages, including replaced ones. */
  readonly messages: number
  readonly summaries: number
  readonly createdAt: number
  /** The time of the last message; `createdAt` if there is none. */
  readonly lastAt: number
}

/** A fault in a store. */
export interface StoreFault {
  /** A code in kebab-case. */
  readonly code: string
  /** One sentence for a person. */
  readonly message: string
  readonly principal?: string
  readonly key?: string
  /** The subject, such as `m57` or `s3`. */
  readonly ref?: string
  /** True if `repair` fixes it without loss. */
  readonly repairable: boolean
}

export interface ImportResult {
  readonly imported: readonly Required<SessionRef>[]
  /** Existing sessions, which were left unchanged. */
  readonly skipped: readonly Required<SessionRef>[]
}

export interface ListQuery {
  readonly principal?: string
  /** Lists only sessions after this one. */
  readonly after?: { readonly principal: string; readonly key: string }
  /** Lists only sessions in which a message, replaced or not, may contain one term of each list. */
  readonly matching?: readonly (readonly SearchTerm[])[]
  readonly limit: number
}

/** A store of conversations: many sessions of many principals, open to several processes at once. */
export interface Store {
  readonly kind: 'memory' | 'sqlite' | 'postgres'
  /** A path, or an address without secrets, for people. */
  readonly location: string
  /** Opens a session, creating it if necessary. `at`: the time, in milliseconds since the epoch. */
  session(ref: SessionRef, at: number): Promise<StoredSession>
  /** Opens an existing session; null if there is none. */
  find(ref: SessionRef): Promise<StoredSession | null>
  list(query: ListQuery): Promise<SessionInfo[]>
  /** Lists the scopes of a principal that have events. */
  scopes(principal?: string): Promise<string[]>
  /** Verifies every row, every frontier and the index. Empty if all is well. */
  verify(options?: { readonly onMessages?: (count: number) => void }): Promise<StoreFault[]>
  /** Exports the store, or one session, as lines of JSON with a checksum at the end. */
  export(only?: SessionRef): AsyncGenerator<string>
  /**
   * Imports missing sessions, and events. `open` is called twice, because nothing is written before the whole export
   * has been checked.
   *
   * @throws StoreError `INVALID_EXPORT`
   */
  import(open: () => AsyncIterable<string>): Promise<ImportResult>
  /**
   * Names of damaged rows that were read, with their sessions, such as `talk: m3`. They were left out; `verify` finds
   * the others.
   */
  damaged(): readonly string[]
  /** Rebuilds the index and returns the remaining faults. */
  repair(): Promise<StoreFault[]>
  /** Closes the store. Idempotent. */
  close(): Promise<void>
}
