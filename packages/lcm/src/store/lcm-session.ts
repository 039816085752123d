import type { Message } from '@palimpsest/core'

/**
 * A term that a row must hold, upper and lower case alike:
 * - `word`: the text as a whole word; letters, digits and underscores make a word.
 * - `prefix`: a word that begins with the text.
 * - `substring`: the text anywhere.
 */
export interface SearchTerm {
  readonly kind: 'word' | 'prefix' | 'substring'
  readonly text: string
}

/** A run of rows that a search has to look at. */
export interface CandidateQuery {
  /** A row must match one term of each list. Empty: every row. */
  readonly where: readonly (readonly SearchTerm[])[]
  /** Bounds, inclusive: message numbers, or summary numbers. Default: all. */
  readonly first?: number
  readonly last?: number
  readonly order: 'newest' | 'oldest'
  /** Rows at most. Fewer rows than this mean that there are no more. */
  readonly limit: number
  /** Replaced messages too. Default false. */
  readonly includeReplaced?: boolean
}

/** A question to a session before all of it is searched. */
export interface SessionMatch {
  /** As in `CandidateQuery`. */
  readonly where: readonly (readonly SearchTerm[])[]
  readonly among: 'messages' | 'summaries' | 'both'
}

/**
 * A message that may match. A store may return rows that do not match, because its index is coarser than the
 * question; it never leaves out one that does. Who asks looks at the text itself.
 */
export interface MessageCandidate {
  readonly seq: number
  readonly role: string
  readonly at: number
  readonly text: string
  readonly replaced: boolean
}

/** A summary that may match. Every summary of the session counts, those too that stand behind a condensed one. */
export interface SummaryCandidate {
  readonly number: number
  readonly depth: number
  readonly first: number
  readonly last: number
  readonly at: number
  readonly text: string
}

/** A message on its way into a store. `encodeMessage` makes it; a store writes it down as it is. */
export interface EncodedMessage {
  readonly role: string
  /** The host's id of the message, if it has one. */
  readonly hostId?: string
  /** The message as JSON text, exactly as `JSON.stringify` writes what came in. */
  readonly json: string
  /** SHA-256 of `json` in UTF-8, as 64 hexadecimal digits. */
  readonly hash: string
  /** The text for searches: the texts of the content, and the names and arguments of calls, with newlines between. */
  readonly text: string
  /** Tokens of the whole message, by the counter of the engine that stored it. */
  readonly tokens: number
  /** When it came, in milliseconds since the epoch, if that is known of this message. Default: when it is written. */
  readonly at?: number
  /** An imported message that was forgotten: `json` and `text` are empty, and `hash` is that of what it said. */
  readonly forgotten?: { readonly at: number; readonly reason: string }
}

/** A message in a store. Its number never changes and is never given to another message of the session. */
export interface StoredMessage {
  /** Number in its session, from 0. Tools call it `m<seq>`. */
  readonly seq: number
  readonly role: string
  readonly hostId?: string
  /** When it was stored, in milliseconds since the epoch. */
  readonly at: number
  readonly tokens: number
  readonly hash: string
  /** The JSON text that came in, byte for byte. Empty when the message was forgotten. */
  readonly json: string
  /** True when the host edited its history and other messages took the place of this one. */
  readonly replaced: boolean
  /** Why and when its content was deleted on request. */
  readonly forgotten?: { readonly at: number; readonly reason: string }
}

/**
 * The writer of a summary:
 * - `model`: the host's model.
 * - `extractive`: no model; sentences and facts taken from the sources.
 * - `pointer`: no writer; it names what it covers and how to read it.
 */
export type SummaryWriter = 'model' | 'extractive' | 'pointer'

/**
 * A node of the summary DAG: text that stands for an unbroken run of messages. Nodes are never changed; another
 * frontier is another list of nodes.
 */
export interface SummaryNode {
  /** Number in its session, from 1. Tools call it `s<number>`. */
  readonly number: number
  /** 0 for a leaf, which covers messages; one more than its deepest child for a condensed summary. */
  readonly depth: number
  /** The first and the last message that it covers. Replaced messages between them are not covered. */
  readonly first: number
  readonly last: number
  readonly messages: number
  /** Numbers of the summaries that it condenses, in order. Empty for a leaf. */
  readonly children: readonly number[]
  readonly text: string
  readonly tokens: number
  /** Tokens of the messages that it covers. */
  readonly sourceTokens: number
  readonly writer: SummaryWriter
  /** When it was written, in milliseconds since the epoch. */
  readonly at: number
  /** When the first and the last message that it covers were stored. */
  readonly from: number
  readonly to: number
  /** `hashSummary` of the node: proves that nothing of it changed. */
  readonly hash: string
  /** Its text was deleted because it covers a message that was forgotten. */
  readonly forgotten?: { readonly at: number; readonly reason: string }
}

/**
 * Why a frontier came to be:
 * - `start`: the first one, which covers nothing.
 * - `compaction`: summaries took the place of messages or of other summaries.
 * - `edit`: the host edited its history; summaries of what it replaced had to go.
 * - `undo`: a compaction was taken back.
 * - `forget`: messages were deleted on request; the list is the one before it.
 */
export type FrontierReason = 'start' | 'compaction' | 'edit' | 'undo' | 'forget'

/** The past of a session: summaries in order, without gap or overlap, and behind them the messages themselves. */
export interface Frontier {
  /** 0 when nothing was ever compacted; one more with each change. */
  readonly version: number
  readonly nodes: readonly SummaryNode[]
}

/** One entry in the history of a session's frontiers. */
export interface FrontierVersion {
  readonly version: number
  readonly reason: FrontierReason
  /** The number that the next message would have had when it came to be. */
  readonly nextSeq: number
  readonly at: number
}

/** The state of a session that every write is checked against. */
export interface SessionHead {
  readonly nextSeq: number
  readonly nextSummary: number
  readonly version: number
  /** Runs of replaced messages, in order and disjoint; both ends inclusive. */
  readonly replaced: readonly SeqRange[]
  readonly createdAt: number
}

/** Message numbers, both ends inclusive. */
export interface SeqRange {
  readonly first: number
  readonly last: number
}

export interface AppendInput {
  /** The head's `nextSeq` that the writer knows. */
  readonly nextSeq: number
  readonly messages: readonly EncodedMessage[]
  /** When they came, in milliseconds since the epoch. A message's own time goes before it. */
  readonly at: number
  /**
   * The frontier's version that the writer knows; checked if given, and required with `replace`. An edit without new
   * messages leaves `nextSeq` as it was: only the version tells.
   */
  readonly version?: number
  /**
   * The host edited its history: all messages from this number on are replaced. `summaries` is the frontier
   * that is left.
   */
  readonly replace?: {
    readonly from: number
    readonly summaries: readonly number[]
  }
}

export interface CommitInput {
  /** The frontier's version that the plan was made on. */
  readonly version: number
  /** New nodes, children before parents, numbered from the head's `nextSummary` on without a gap. */
  readonly create: readonly SummaryNode[]
  /** The whole new frontier: numbers of nodes, in order. */
  readonly summaries: readonly number[]
  readonly reason: Extract<FrontierReason, 'compaction' | 'undo'>
  readonly at: number
  /** The writer's lease, when it holds one: a commit under a lease that another holder took over is refused. */
  readonly lease?: Lease
}

/** The right to compact a session until it runs out. */
export interface Lease {
  readonly holder: string
  /** Grows with each holder: a late writer is recognised by an old one. */
  readonly token: number
}

export interface LeaseRequest {
  readonly holder: string
  /**
   * Now, in milliseconds since the epoch. A store that several machines share goes by its own clock instead: theirs
   * differ.
   */
  readonly now: number
  /** The duration of the lease, in milliseconds. */
  readonly ttl: number
}

export interface MessageQuery {
  /** Bounds, inclusive. Default: all. */
  readonly first?: number
  readonly last?: number
  /** Default `oldest`. */
  readonly order?: 'newest' | 'oldest'
  readonly limit: number
  /** Default false. */
  readonly includeReplaced?: boolean
}

/** The result of a deletion on request. */
export interface Forgotten {
  readonly messages: number
  /** Numbers of the summaries whose text is gone because they covered one of them. */
  readonly summaries: readonly number[]
}

/**
 * One session of one principal. A handle sees nothing else. Every write is one transaction, durable when its promise resolves.
 * All methods reject with `StoreError`s; a time or a count of tokens that is none is refused with core's `InvalidOptionError`,
 * which names the field.
 */
export interface LcmSession {
  readonly principal: string
  /** The host's id of the session. */
  readonly key: string

  head(): Promise<SessionHead>
  /**
   * Writes messages behind the last one.
   *
   * @throws StoreConflictError when the head is not the one that the writer knows; nothing was written.
   */
  append(input: AppendInput): Promise<SessionHead>
  messages(query: MessageQuery): Promise<StoredMessage[]>
  /**
   * Compares messages with those of the numbers at the same places, which ascend: true for the same one to the last byte.
   * A replaced message is never the same; a forgotten one is by its hash.
   */
  compare(seqs: readonly number[], messages: readonly Message[]): Promise<boolean[]>
  /** Messages that may match, in order. */
  candidates(query: CandidateQuery): Promise<MessageCandidate[]>
  summaryCandidates(query: CandidateQuery): Promise<SummaryCandidate[]>
  /** The frontier of a version. Default: the current one. @throws StoreError `NOT_FOUND` */
  frontier(version?: number): Promise<Frontier>
  /** Versions from the newest to the oldest, below `before` if given. */
  versions(query: { readonly before?: number; readonly limit: number }): Promise<FrontierVersion[]>
  /** Nodes by number, in the order asked for; unknown numbers are left out. */
  summaries(numbers: readonly number[]): Promise<SummaryNode[]>
  /**
   * Writes nodes and makes a list of nodes the frontier: one unbroken run from the first non-instruction on.
   *
   * @throws StoreConflictError when the frontier is not the one that the writer knows, or the lease is lost.
   */
  commit(input: CommitInput): Promise<Frontier>
  /**
   * Deletes the content of messages for good, of all summaries that cover them, and of both from the indexes.
   * Numbers, hashes, times and the reason stay. The only operation that loses something. The frontier gets a new version
   * with the same list, so that a writer that still holds deleted content meets a conflict. Idempotent.
   */
  forget(input: SeqRange & { readonly reason: string; readonly at: number }): Promise<Forgotten>
  /** A lease, or null while another holder has one that has not run out. The holder itself gets its lease prolonged. */
  acquireLease(request: LeaseRequest): Promise<Lease | null>
  releaseLease(lease: Lease): Promise<void>
}
