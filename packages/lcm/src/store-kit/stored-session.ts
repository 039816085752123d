import type {
  EncodedMessage,
  FrontierVersion,
  Lease,
  SeqRange,
  SessionHead,
  StoredMessage,
} from '../store/lcm-session.ts'
import type { SessionInfo } from '../store/lcm-store.ts'

/** All that a store keeps of a session beside its messages, its summaries and its frontiers. */
export interface StoredSession {
  readonly principal: string
  readonly key: string
  readonly createdAt: number
  /** When its last message was stored; `createdAt` when it has none. */
  readonly lastAt: number
  readonly nextSeq: number
  readonly nextSummary: number
  /** Of the newest frontier; -1 before the first one is written. */
  readonly version: number
  readonly replaced: readonly SeqRange[]
  /** The token of the newest lease that was ever given out; 0 when there was none. */
  readonly leaseToken: number
  /** The lease that was given out last, unless it was given back; it may have run out. Its token is `leaseToken`. */
  readonly lease?: { readonly holder: string; readonly until: number }
}

/** A version of a session's frontier, with the numbers of its summaries in order. */
export interface StoredFrontier extends FrontierVersion {
  readonly summaries: readonly number[]
}

/** A message with its number, as a store writes it down. */
export type NewMessage = Omit<EncodedMessage, 'at'> & Pick<StoredMessage, 'seq' | 'at'>

/** A session as `head()` gives it out. */
export function headOf(session: StoredSession): SessionHead {
  const { nextSeq, nextSummary, version, replaced, createdAt } = session
  const ranges = replaced.map(({ first, last }) => ({ first, last }))
  return { nextSeq, nextSummary, version, replaced: ranges, createdAt }
}

/** A session as a list names it. */
export function sessionInfo(session: StoredSession): SessionInfo {
  const { principal, key, nextSeq, nextSummary, createdAt, lastAt } = session
  return { principal, key, messages: nextSeq, summaries: nextSummary - 1, createdAt, lastAt }
}

/** The lease that a writer must have; undefined when none is given out. */
export function leaseOf({ lease, leaseToken: token }: StoredSession): Lease | undefined {
  return lease && { holder: lease.holder, token }
}
