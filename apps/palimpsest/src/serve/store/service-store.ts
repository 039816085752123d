import { type Message, markErrors, PalimpsestError, type StoredProjection } from '@palimpsest/core'
import type { SessionLocks } from '@palimpsest/gateway'
import type { MeteredCall } from '../models/meter.ts'
import type { PaidTokens, Purpose } from '../models/price-of.ts'

/** One conversation: what `/init` begins anew for a session. Earlier ones of the session stay stored. */
export interface ConversationRecord {
  /** Its number in the store. */
  readonly no: number
  /** The session that it belongs to. */
  readonly session: string
  /** From 1; the latest one of a session is the one that is talked to. */
  readonly epoch: number
  readonly repoName: string | undefined
  /** The system prompt of the last turn; empty before the first. */
  readonly system: string
  readonly turns: number
}

/** A conversation as its table has it; `repo` and `system` are JSON. */
export interface StoredConversation extends Omit<ConversationRecord, 'repoName'> {
  readonly repo: string | null
}

export function toRecord({
  no,
  session,
  epoch,
  repo,
  system,
  turns,
}: StoredConversation): ConversationRecord {
  const repoName = repo === null ? undefined : (JSON.parse(repo) as string)
  return { no, session, epoch, repoName, system: JSON.parse(system) as string, turns }
}

/** A new conversation of a session. */
export interface Beginning {
  readonly session: string
  readonly repoName: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Its epoch at least. */
  readonly least: number
}

/** A turn that is acknowledged as soon as it is stored. */
export interface TurnRecord {
  readonly conversation: number
  /** From 1. */
  readonly turn: number
  readonly system: string
  /** The user's message, the calls of tools with their results, and the answer. */
  readonly messages: readonly Message[]
  readonly request: StoredRequest | undefined
  /** JSON text for the caller. */
  readonly response: string
  /** What the session keeps of its last compaction; null when that is nothing. Default: as before. */
  readonly projection?: StoredProjection | null | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The token of the lock that it was answered under. */
  readonly token: number
}

export interface KeptProjection extends Pick<TurnRecord, 'conversation' | 'token'> {
  readonly projection: StoredProjection | null
}

/** A request that its caller named, so that it is not run twice. */
export interface StoredRequest {
  readonly id: string
  /** Tells whether a second request of the same name asks the same. */
  readonly hash: string
}

export interface CostRecord extends PaidTokens {
  readonly purpose: Purpose
  readonly model: string
  readonly calls: number
  readonly reasoningTokens: number
}

/** Something that is wrong in a store. */
export interface StoreFault {
  /** Kebab-case, for programs. */
  readonly code: string
  /** One sentence for a person. */
  readonly message: string
}

export type StoreKind = 'memory' | 'sqlite' | 'postgres'

/**
 * The service's own record: sessions, their messages and what they cost. It is the truth about what was said; engines
 * keep theirs beside it. Every method is one transaction, which is durable when its promise resolves.
 */
export interface ServiceStore {
  readonly kind: StoreKind
  /** Shared by all that share the store. */
  readonly locks: SessionLocks
  /** The latest conversation of a session. */
  find(session: string): Promise<ConversationRecord | undefined>
  /**
   * A new conversation, the latest one of its session. One without a turn is used again.
   *
   * @param epoch that of a new one at least. Default 1.
   */
  begin(
    session: string,
    repoName: string | undefined,
    at: number,
    epoch?: number,
  ): Promise<ConversationRecord>
  /** All that there are, also those that others took the place of, with the number of their messages. */
  conversations(): Promise<(ConversationRecord & { readonly messages: number })[]>
  messages(conversation: number): Promise<Message[]>
  /** The answer that was given to a named request. */
  findResponse(
    conversation: number,
    requestId: string,
  ): Promise<{ readonly hash: string; readonly response: string } | undefined>
  /**
   * Stores a turn with its answer. Rejects with `TurnConflictError` when it does not follow on what is stored, and when
   * another worker has taken the session over.
   */
  commitTurn(turn: TurnRecord): Promise<void>
  /** What the session of a conversation kept of its last compaction. */
  projection(conversation: number): Promise<StoredProjection | undefined>
  /** Keeps another one between two turns. Rejects as `commitTurn` does, when another worker has taken the session over. */
  keepProjection(kept: KeptProjection): Promise<void>
  addCost(conversation: number, call: MeteredCall): Promise<void>
  /** Of one conversation, or of all that there are. */
  costs(conversation?: number): Promise<CostRecord[]>
  /** Reads something, and writes to a file that a write failed for. Rejects with the error of a store that cannot be used. */
  check(): Promise<void>
  /** Its faults: rows that are not what was stored, conversations that miscount. Reads all of it. */
  faults(): Promise<StoreFault[]>
  /** Gives locks back. Idempotent. */
  close(): Promise<void>
}

/** The name of a session's lock, apart from everything else in the database. */
export function sessionLockName(session: string): string {
  return `service:${session}`
}

/** Another worker has gone on with the session: a turn was not stored. `TURN_CONFLICT`. */
export class TurnConflictError extends PalimpsestError {
  static override readonly isInstance = markErrors<TurnConflictError>(TurnConflictError, 'app.turn-conflict')

  constructor(reason: string) {
    super('TURN_CONFLICT', `the turn was not kept: ${reason}`)
  }
}

/**
 * The name of a conversation for engines and their stores: the session's name, and `shop#2` for one that was begun anew,
 * which is another session to them. No caller's name has a `#` in it.
 */
export function engineKey({ session, epoch }: Pick<ConversationRecord, 'session' | 'epoch'>): string {
  return epoch === 1 ? session : `${session}#${epoch}`
}
