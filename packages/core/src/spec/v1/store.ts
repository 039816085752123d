import type { Message } from './message.ts'

/** Whose session, and which. */
export interface SessionRef {
  /** A user or a tenant. Default `local`. */
  readonly principal?: string
  /** The host's id of the session. */
  readonly key: string
}

/** Numbers of messages, both ends inclusive. */
export interface SeqRange {
  readonly first: number
  readonly last: number
}

/** Content that was deleted on request. */
export interface Forgetting {
  readonly at: number
  readonly reason: string
}

export interface NewMessage {
  readonly message: Message
  readonly tokens: number
  /** When it was said, in milliseconds since the epoch. Default: when it is stored. */
  readonly at?: number
}

/** One message of a session's log. */
export interface StoredMessage {
  /** Grows by one with each message that the session ever took. */
  readonly seq: number
  readonly role: string
  readonly at: number
  readonly tokens: number
  /** Null when it was forgotten or is damaged. A damaged one may have `unknown` as its role. */
  readonly message: Message | null
  /** An edit of the host took it out of the conversation. */
  readonly replaced: boolean
  readonly forgotten?: Forgetting
  /** The row is not what was stored. */
  readonly damaged?: true
}

/** A text in the place of a run of messages, or of other summaries. */
export interface Summary extends SeqRange {
  /** Counts from 1 in each session. */
  readonly number: number
  /** 0 for one of messages; one more than the deepest of its children. */
  readonly depth: number
  /** Live messages that it covered when it was written. */
  readonly messages: number
  /** The summaries that it condenses, in order; empty for one of messages. */
  readonly children: readonly number[]
  readonly text: string
  readonly tokens: number
  /** Tokens of the messages that it covers. */
  readonly sourceTokens: number
  /** `pointer`: it says nothing but what can be had back. */
  readonly writer: 'model' | 'extractive' | 'pointer'
  readonly at: number
  /** When the first and the last of its messages were said. */
  readonly from: number
  readonly to: number
  readonly forgotten?: Forgetting
  readonly damaged?: true
}

/**
 * Why a frontier came to be: the `start`, a `compaction`, an `edit` of the host, an `undo` of a compaction, or a deletion on
 * request (`forget`), whose list is the one before it.
 */
export type FrontierReason = 'start' | 'compaction' | 'edit' | 'undo' | 'forget'

/** The summaries that show a conversation: without gap or overlap, from the first message that is no instruction on. Later messages are shown as they are. */
export interface Frontier {
  /** 0 at the start; one more with each change. */
  readonly version: number
  readonly reason: FrontierReason
  /** The number that the next message had when it came to be. */
  readonly nextSeq: number
  readonly at: number
  readonly summaries: readonly number[]
  /** The row is not what was stored; the list is empty then, and the messages are all there. */
  readonly damaged?: true
}

/** The state of a session that a write is checked against. */
export interface Head {
  readonly nextSeq: number
  readonly nextSummary: number
  /** Of the frontier. */
  readonly version: number
  /** Times that the host took messages back. */
  readonly edits: number
  /** Runs of replaced messages, in order and apart. */
  readonly replaced: readonly SeqRange[]
  readonly createdAt: number
}

export interface AppendInput {
  /** The head's `nextSeq` that the writer knows. */
  readonly nextSeq: number
  readonly messages: readonly NewMessage[]
  readonly at: number
  /** The head's `edits` that the writer knows. Default: it is not compared. */
  readonly edits?: number
  /**
   * The host took messages back: live ones from this number on are replaced. Summaries that cover one of them, or the last message
   * that is left when none is added, give way to what they were made of.
   */
  readonly replaceFrom?: number
  /** The messages are kept beside the conversation, as replaced ones, such as a system prompt that gave way to another. Default false. */
  readonly aside?: boolean
  /** Work on these messages, which a crash must not lose. One whose id is known is passed over. */
  readonly jobs?: readonly NewJob[]
}

export interface CommitInput {
  /** The frontier's version that the plan was made on. */
  readonly version: number
  /** New summaries, children before parents, numbered from the head's `nextSummary` on. */
  readonly create: readonly Summary[]
  /** The whole new frontier. */
  readonly summaries: readonly number[]
  readonly reason: 'compaction' | 'undo'
  readonly at: number
  /** The writer's lease: a commit under one that another holder took over is refused. */
  readonly lease?: Lease
}

/** The right to compact a session until it runs out. */
export interface Lease {
  readonly holder: string
  /** Grows with each holder. */
  readonly token: number
}

export interface LeaseRequest {
  readonly holder: string
  /** In milliseconds since the epoch. A database that machines share goes by its own clock. */
  readonly now: number
  readonly ttl: number
}

export interface NewJob {
  /** The same id twice is one job. */
  readonly id: string
  readonly kind: string
  /** JSON. */
  readonly body: unknown
}

export interface Job extends NewJob {
  /** Times that it was taken. */
  readonly attempts: number
}

export interface NewEvent {
  /** The same id twice is one event. */
  readonly id: string
  /** JSON. */
  readonly body: unknown
}

/** An entry of a log that sessions of one principal share. */
export interface StoredEvent extends NewEvent {
  /** Grows within a principal; not without gaps. */
  readonly seq: number
  readonly scope: string
}

/** Events of one scope and the jobs of this session, in one transaction. */
export interface RecordInput {
  readonly scope: string
  readonly events: readonly NewEvent[]
  /** New work. A job whose id is known is passed over. */
  readonly jobs?: readonly NewJob[]
  /** The last event of the scope that the writer knows. Default: what others did meanwhile does not matter. */
  readonly known?: number
  /** Jobs of this session that are done with. */
  readonly finished?: readonly string[]
}

export interface MessageQuery {
  /** Inclusive. Default: all. */
  readonly first?: number
  readonly last?: number
  /** Default `oldest`. */
  readonly order?: 'oldest' | 'newest'
  readonly limit?: number
  /** Replaced messages too. Default false. */
  readonly includeReplaced?: boolean
}

/** A term that a text must hold, upper and lower case alike: as a whole word, as the beginning of one, or anywhere. */
export interface SearchTerm {
  readonly kind: 'word' | 'prefix' | 'substring'
  readonly text: string
}

export interface CandidateQuery extends MessageQuery {
  /** A text must hold one term of each list. Empty: every text. */
  readonly where: readonly (readonly SearchTerm[])[]
  readonly limit: number
}

/** A message or summary that may match: an index leaves out none that does, and names some that do not. */
export interface Candidate {
  /** A message's `seq`, a summary's `number`. */
  readonly number: number
  /** A message's role; `summary`. */
  readonly role: string
  readonly at: number
  readonly text: string
  readonly replaced: boolean
}

export interface Forgotten {
  readonly messages: number
  /** Summaries whose text is gone because they covered one of them. */
  readonly summaries: readonly number[]
}

/**
 * One session of one principal. Every write is one transaction, and durable when its promise resolves. Methods reject with a
 * `StoreError`, and with core's `InvalidOptionError` for a time or a count that is none.
 */
export interface StoredSession {
  readonly principal: string
  readonly key: string
  head(): Promise<Head>
  /** Adds messages after the last one. @throws StoreError `STORE_CONFLICT` when the head is another one; nothing was written. */
  append(input: AppendInput): Promise<Head>
  messages(query?: MessageQuery): Promise<StoredMessage[]>
  /** Default: the current one. @throws StoreError `NOT_FOUND` */
  frontier(version?: number): Promise<Frontier>
  /** The newest first. */
  versions(query: { readonly before?: number; readonly limit: number }): Promise<Frontier[]>
  /** By number, in the order asked for; unknown numbers are left out. */
  summaries(numbers: readonly number[]): Promise<Summary[]>
  /** Writes summaries and a new frontier. @throws StoreError `STORE_CONFLICT`, `INVALID_FRONTIER` */
  commit(input: CommitInput): Promise<Frontier>
  candidates(among: 'messages' | 'summaries', query: CandidateQuery): Promise<Candidate[]>
  /**
   * Deletes the content of messages for good, of all summaries that cover them, and of both from the index: the only operation
   * that loses something. Idempotent.
   */
  forget(input: SeqRange & Forgetting): Promise<Forgotten>
  /** Null while another holder has it. The holder itself gets its lease prolonged. */
  acquireLease(request: LeaseRequest): Promise<Lease | null>
  releaseLease(lease: Lease): Promise<void>
  /** Events of scopes with a number above `after`, in order. */
  events(query: { readonly scopes: readonly string[]; readonly after?: number }): Promise<StoredEvent[]>
  /** @throws StoreError `STORE_CONFLICT` when the scope has an event after `known`. */
  record(input: RecordInput): Promise<void>
  /** Jobs that are not done, the oldest first. */
  jobs(): Promise<Job[]>
  /** Takes a job for a while. False when it is done, or another holder has it. */
  takeJob(id: string, request: LeaseRequest): Promise<boolean>
  /** Gives a job back as if it had not been taken. */
  releaseJob(id: string, holder: string): Promise<void>
  /** What an engine keeps beside the log, such as its last projection. JSON; null when there is nothing, or it is damaged. */
  state(name: string): Promise<unknown>
  saveState(name: string, value: unknown): Promise<void>
  /** What was read since the session was opened and is not what was stored, such as `m3`, `s2` or `state projection`. It was left out. */
  damaged(): readonly string[]
}

export interface SessionInfo {
  readonly principal: string
  readonly key: string
  /** Replaced ones included. */
  readonly messages: number
  readonly summaries: number
  readonly createdAt: number
  /** When its last message was said; `createdAt` when it has none. */
  readonly lastAt: number
}

/** Something that is not as it should be. */
export interface StoreFault {
  /** Kebab-case. */
  readonly code: string
  /** One sentence for a person. */
  readonly message: string
  readonly principal?: string
  readonly key?: string
  /** Its subject, such as `m57` or `s3`. */
  readonly ref?: string
  /** `repair` mends it without losing anything. */
  readonly repairable: boolean
}

export interface ImportResult {
  readonly imported: readonly Required<SessionRef>[]
  /** Sessions that were there already, and stay as they are. */
  readonly skipped: readonly Required<SessionRef>[]
}

export interface ListQuery {
  readonly principal?: string
  /** Sessions after this one. */
  readonly after?: { readonly principal: string; readonly key: string }
  /** Only sessions in which a message may hold one term of each list, replaced messages included. */
  readonly matching?: readonly (readonly SearchTerm[])[]
  readonly limit: number
}

/** Where conversations are kept. One store holds many sessions of many principals; several processes may use it at once. */
export interface Store {
  readonly kind: 'memory' | 'sqlite' | 'postgres'
  /** For people: a path, or an address without secrets. */
  readonly location: string
  /** Opens a session, and makes it when there is none. `at`: when, in milliseconds since the epoch. */
  session(ref: SessionRef, at: number): Promise<StoredSession>
  /** Null when there is none. */
  find(ref: SessionRef): Promise<StoredSession | null>
  /** In the order of principal and key. */
  list(query: ListQuery): Promise<SessionInfo[]>
  /** Scopes of a principal that have events. */
  scopes(principal?: string): Promise<string[]>
  /** Proves every row, every frontier and the index. Empty when all is well. */
  verify(options?: { readonly onMessages?: (count: number) => void }): Promise<StoreFault[]>
  /** The store, or one session of it, as lines of JSON with a checksum at the end. */
  export(only?: SessionRef): AsyncGenerator<string>
  /**
   * Writes an export: sessions that are not there yet, and events. `open` is called twice: nothing is written before all of it was
   * found whole.
   *
   * @throws StoreError `INVALID_EXPORT`
   */
  import(open: () => AsyncIterable<string>): Promise<ImportResult>
  /** What was read and is not what was stored, with its session, such as `talk: m3`. It was left out; `verify` finds the rest. */
  damaged(): readonly string[]
  /** Builds the index anew. Returns the faults that are left. */
  repair(): Promise<StoreFault[]>
  /** Idempotent. */
  close(): Promise<void>
}
