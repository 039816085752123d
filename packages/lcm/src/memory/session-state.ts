import { orderedNode } from '../dump/dump-line.ts'
import type { KnownRows } from '../history/check-frontier.ts'
import { isReplaced } from '../history/replaced-ranges.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { WritePlan } from '../store-kit/plan-write.ts'
import type { StoredFrontier, StoredSession } from '../store-kit/stored-session.ts'

/** A message as the memory keeps it. Whether it is replaced is known to each session for itself. */
export type MessageRow = Omit<StoredMessage, 'replaced'> & { readonly text: string }

/**
 * A session in memory. Its rows are frozen: a reader gets the row itself. Only `forget` puts another row in the place
 * of one.
 */
export interface SessionState {
  /** The session that it was forked from; everything before its own numbers is the parent's. */
  readonly parent: SessionState | undefined
  session: StoredSession
  /** Its own messages: the one at index i has the number `session.parent.seq + i`. */
  readonly messages: MessageRow[]
  readonly summaries: SummaryNode[]
  readonly frontiers: StoredFrontier[]
}

export function createSessionState(session: StoredSession, parent?: SessionState): SessionState {
  return { parent, session, messages: [], summaries: [], frontiers: [] }
}

export function writePlan(state: SessionState, plan: WritePlan): void {
  state.session = plan.session
  for (const { seq, role, at, tokens, hash, json, text, hostId, forgotten } of plan.messages)
    state.messages.push(
      Object.freeze({
        seq,
        role,
        at,
        tokens,
        hash,
        json,
        text,
        ...(hostId !== undefined && { hostId }),
        ...(forgotten && { forgotten: Object.freeze({ ...forgotten }) }),
      }),
    )
  for (const node of plan.summaries) state.summaries.push(freezeNode(node))
  for (const frontier of plan.frontiers)
    state.frontiers.push(Object.freeze({ ...frontier, summaries: Object.freeze([...frontier.summaries]) }))
}

/** A summary as the memory keeps it and gives it out: a copy that cannot be changed. */
export function freezeNode(node: SummaryNode): SummaryNode {
  const copy = orderedNode(node)
  Object.freeze(copy.children)
  Object.freeze(copy.forgotten)
  return Object.freeze(copy)
}

/** The session of a lineage that message `seq` belongs to. */
export function ownerOf(state: SessionState, seq: number): SessionState {
  let owner = state
  while (owner.parent !== undefined && seq < firstSeq(owner)) owner = owner.parent
  return owner
}

export function firstSeq({ session }: SessionState): number {
  return session.parent?.seq ?? 0
}

export function messageAt(state: SessionState, seq: number): MessageRow | undefined {
  const owner = ownerOf(state, seq)
  return owner.messages[seq - firstSeq(owner)]
}

/** A summary of the session, or of what it shares: a parent's summary that reaches behind the fork is not shared. */
export function summaryAt(state: SessionState, number: number): SummaryNode | undefined {
  let owner = state
  let end = Number.POSITIVE_INFINITY
  while (owner.parent !== undefined && number < (owner.session.parent?.summary ?? 1)) {
    end = Math.min(end, firstSeq(owner))
    owner = owner.parent
  }
  const node = owner.summaries[number - (owner.session.parent?.summary ?? 1)]
  return node !== undefined && node.last < end ? node : undefined
}

/** The rows that plans are checked against. */
export function knownRows(state: SessionState): KnownRows {
  return {
    roleOf: (seq) => messageAt(state, seq)?.role,
    coverOf: (number) => summaryAt(state, number),
  }
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
  const last = Math.min(query.last ?? Number.POSITIVE_INFINITY, state.session.nextSeq - 1)
  for (const seq of numbersBetween(first, last, query.order ?? 'oldest')) {
    const replaced = isReplaced(state.session.replaced, seq)
    if (replaced && query.includeReplaced !== true) continue
    const row = messageAt(state, seq)
    if (row !== undefined) yield { row, replaced }
  }
}
