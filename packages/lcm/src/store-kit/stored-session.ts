import type { DumpRecord } from '../store/dump-record.ts'
import type { FrontierVersion } from '../store/frontier.ts'
import type { Lease, SeqRange, SessionHead } from '../store/lcm-session.ts'
import type { SessionInfo } from '../store/lcm-store.ts'

/** All that a store keeps of a session beside its messages, its summaries and its frontiers. */
export interface StoredSession {
  readonly principal: string
  readonly key: string
  readonly createdAt: number
  /** When its last message was stored; `createdAt` when it has none. */
  readonly lastAt: number
  /** The session that it was forked from, and the numbers of its own first message and summary. */
  readonly parent?: { readonly key: string; readonly seq: number; readonly summary: number }
  readonly nextSeq: number
  readonly nextSummary: number
  /** Of the newest frontier; -1 before the first one is written. */
  readonly version: number
  readonly replaced: readonly SeqRange[]
  /** Characters of the JSON texts of its own messages. */
  readonly characters: number
  /** The token of the newest lease that was ever given out; 0 when there was none. */
  readonly leaseToken: number
  /** The lease that was given out last, unless it was given back; it may have run out. Its token is `leaseToken`. */
  readonly lease?: { readonly holder: string; readonly until: number }
}

/** A version of a session's frontier, with the numbers of its summaries in order. */
export interface StoredFrontier extends FrontierVersion {
  readonly summaries: readonly number[]
}

/** A session as `head()` gives it out. */
export function headOf(session: StoredSession): SessionHead {
  const { nextSeq, nextSummary, version, replaced, createdAt, parent } = session
  return {
    nextSeq,
    nextSummary,
    version,
    replaced: copyRanges(replaced),
    createdAt,
    ...(parent && { parent: { key: parent.key, seq: parent.seq } }),
  }
}

/** A session as a list names it: what it shares with the one that it was forked from is not counted. */
export function sessionInfo(session: StoredSession): SessionInfo {
  const { principal, key, nextSeq, nextSummary, createdAt, lastAt, parent } = session
  const messages = nextSeq - (parent?.seq ?? 0)
  const summaries = nextSummary - (parent?.summary ?? 1)
  return { principal, key, messages, summaries, createdAt, lastAt }
}

/** A session as the first of its records. */
export function sessionRecord(session: StoredSession): Extract<DumpRecord, { type: 'session' }> {
  const { principal, key, createdAt, parent, nextSeq, nextSummary, version, replaced } = session
  return {
    type: 'session',
    principal,
    key,
    createdAt,
    ...(parent && { parent: { key: parent.key, seq: parent.seq, summary: parent.summary } }),
    nextSeq,
    nextSummary,
    version,
    replaced: copyRanges(replaced),
  }
}

/** The lease that a writer must have; undefined when none is given out. */
export function leaseOf({ lease, leaseToken: token }: StoredSession): Lease | undefined {
  return lease && { holder: lease.holder, token }
}

function copyRanges(ranges: readonly SeqRange[]): SeqRange[] {
  return ranges.map(({ first, last }) => ({ first, last }))
}
