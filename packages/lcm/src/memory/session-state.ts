import { isReplaced } from '../history/replaced-ranges.ts'
import type { FrontierVersion } from '../store/frontier.ts'
import type { Lease, SeqRange } from '../store/lcm-session.ts'
import type { EncodedMessage, StoredMessage } from '../store/stored-message.ts'
import type { SummaryNode } from '../store/summary-node.ts'

/** A message as the memory keeps it. Whether it is replaced is known to each session for itself. */
export type MessageRow = Omit<StoredMessage, 'replaced'> & Pick<EncodedMessage, 'text'>

/** One entry of a session's list of frontiers, with the numbers of its summaries. */
export type VersionRow = FrontierVersion & { readonly summaries: readonly number[] }

/**
 * What a store in memory holds of one session. Its rows are frozen: a reader gets the row itself. Only `forget`
 * puts another row in the place of one.
 */
export interface SessionState {
  readonly principal: string
  readonly key: string
  readonly createdAt: number
  /** Where its own messages and summaries begin; everything before them is the parent's. */
  readonly parent?: { readonly state: SessionState; readonly seq: number; readonly summary: number }
  /** Its own messages: the one at index i has the number `parent.seq + i`. */
  readonly messages: MessageRow[]
  readonly summaries: SummaryNode[]
  readonly versions: VersionRow[]
  replaced: readonly SeqRange[]
  lease: (Lease & { readonly until: number }) | undefined
  /** The token of the newest lease that was ever given out. */
  lastToken: number
}

export function createSessionState(
  identity: Pick<SessionState, 'principal' | 'key' | 'createdAt' | 'parent'>,
): SessionState {
  const own = { messages: [], summaries: [], versions: [], replaced: [], lease: undefined, lastToken: 0 }
  return { ...identity, ...own }
}

/** The number of the next message. */
export function nextSeq(state: SessionState): number {
  return (state.parent?.seq ?? 0) + state.messages.length
}

/** The number of the next summary. */
export function nextSummary(state: SessionState): number {
  return (state.parent?.summary ?? 1) + state.summaries.length
}

/** The newest version. A session has one from its first moment on. */
export function currentVersion(state: SessionState): VersionRow {
  return state.versions.at(-1) as VersionRow
}

/** Puts a new version behind the others, and returns its number. */
export function pushVersion(
  state: SessionState,
  reason: FrontierVersion['reason'],
  at: number,
  summaries: readonly number[],
): number {
  const version = state.versions.length
  const row = { version, reason, nextSeq: nextSeq(state), at, summaries: Object.freeze([...summaries]) }
  state.versions.push(Object.freeze(row))
  return version
}

/** The session of a lineage that message `seq` belongs to. */
export function ownerOf(state: SessionState, seq: number): SessionState {
  let owner = state
  while (owner.parent !== undefined && seq < owner.parent.seq) owner = owner.parent.state
  return owner
}

export function messageAt(state: SessionState, seq: number): MessageRow | undefined {
  const owner = ownerOf(state, seq)
  return owner.messages[seq - (owner.parent?.seq ?? 0)]
}

/** A summary of the session, or of what it shares: a parent's summary that reaches behind the fork is not shared. */
export function summaryAt(state: SessionState, number: number): SummaryNode | undefined {
  let owner = state
  let end = Number.POSITIVE_INFINITY
  while (owner.parent !== undefined && number < owner.parent.summary) {
    end = Math.min(end, owner.parent.seq)
    owner = owner.parent.state
  }
  const node = owner.summaries[number - (owner.parent?.summary ?? 1)]
  return node !== undefined && node.last < end ? node : undefined
}

/** Numbers between two bounds, both inclusive, from one end to the other. */
export function* numbersBetween(first: number, last: number, order: 'newest' | 'oldest'): Generator<number> {
  if (order === 'oldest') for (let number = first; number <= last; number++) yield number
  else for (let number = last; number >= first; number--) yield number
}

/** The messages that a session sees, one by one: who takes ten of a million has read ten. */
export function* messagesOf(
  state: SessionState,
  query: {
    readonly first?: number
    readonly last?: number
    readonly order?: 'newest' | 'oldest'
    readonly includeReplaced?: boolean
  },
): Generator<{ readonly row: MessageRow; readonly replaced: boolean }> {
  const first = Math.max(query.first ?? 0, 0)
  const last = Math.min(query.last ?? Number.POSITIVE_INFINITY, nextSeq(state) - 1)
  for (const seq of numbersBetween(first, last, query.order ?? 'oldest')) {
    const replaced = isReplaced(state.replaced, seq)
    if (replaced && query.includeReplaced !== true) continue
    const row = messageAt(state, seq)
    if (row !== undefined) yield { row, replaced }
  }
}
