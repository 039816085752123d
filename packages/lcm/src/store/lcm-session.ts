import type { Message } from '@palimpsest/core'
import type { CandidateQuery, MessageCandidate, SummaryCandidate } from './candidate-query.ts'
import type { Frontier, FrontierReason, FrontierVersion } from './frontier.ts'
import type { EncodedMessage, StoredMessage } from './stored-message.ts'
import type { SummaryNode } from './summary-node.ts'

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
