import type { Decision, SupersededLink } from './decision.ts'
import { type Finder, isImported, type SaidEvent, strongerAuthority } from './decision-event.ts'
import { normalArea, normalSlot, subjectOf } from './normal-text.ts'
import { isOverBy, type Source } from './source.ts'

/** One decision by its own events: `contestedBy` and `suspectOf` depend on others. It is never changed: each event makes a new one. */
export interface DecisionState {
  readonly decision: Decision
  /** See `subjectOf`; undefined where its slot takes many. */
  readonly subject: string | undefined
  /** Place in the log where it was said or confirmed last. */
  readonly saidAt: number
  /** Place in the log where it ended. */
  readonly endedAt: number
}

/** Most decisions have no more than their source: one empty list for all of them takes a third less memory. */
const NONE: readonly never[] = []

type Said<Type extends SaidEvent['type']> = Extract<SaidEvent, { readonly type: Type }>

/** A decision before its first event. */
export function beginState(event: Said<'asserted' | 'proposed'>): DecisionState {
  const decision: Decision = {
    ...event.choice,
    slot: normalSlot(event.choice.slot),
    area: normalArea(event.choice.area),
    id: event.decision,
    scope: event.scope,
    status: 'proposed',
    authority: 'proposed',
    by: finderOf(event),
    sources: NONE,
    merged: NONE,
    remarks: NONE,
    supersedes: NONE,
    supersededBy: NONE,
    contestedBy: NONE,
    firstAt: event.at,
    lastAt: event.at,
  }
  const subject = decision.cardinality === 'one' ? subjectOf(decision) : undefined
  return { decision, subject, saidAt: 0, endedAt: 0 }
}

/** A decision after one more event about it, at a place of the log. */
export function nextState(
  { decision: before, subject, saidAt, endedAt }: DecisionState,
  event: SaidEvent,
  index: number,
): DecisionState {
  const after = nextDecision(before, event)
  return {
    decision: event.at > after.lastAt ? { ...after, lastAt: event.at } : after,
    subject,
    saidAt: isConfirmed(event) ? index : saidAt,
    endedAt: after.ended === before.ended ? endedAt : index,
  }
}

function nextDecision(before: Decision, event: SaidEvent): Decision {
  if (event.type === 'superseded') return supersede(before, event)
  if (event.type === 'retracted') return before.status === 'superseded' ? before : end(before, event)
  if (event.type === 'merged') return merge(before, event)
  return event.type === 'remarked' ? remark(before, event.source) : confirm(before, event)
}

/** True when a decision is said, also once more; a claim that is added says nothing for it. */
function isConfirmed({ type, authority }: SaidEvent): boolean {
  if (type === 'merged') return authority !== 'proposed'
  return type !== 'superseded' && type !== 'retracted' && type !== 'remarked'
}

/** A decision that takes the place of another. */
export function takePlace(state: DecisionState, event: Said<'superseded'>): DecisionState {
  const supersedes = state.decision.supersedes.concat([linkTo(event.decision, event)])
  return { ...state, decision: { ...state.decision, supersedes } }
}

/** It is said once more or for the first time. What is over stays over: a choice that is made again is a new one. */
function confirm(state: Decision, event: SaidEvent): Decision {
  const authority = strongerAuthority(state.authority, event.authority)
  const isTaken = state.status === 'proposed' && event.authority !== 'proposed'
  return {
    ...state,
    authority,
    by: authority === state.authority ? state.by : finderOf(event),
    status: isTaken ? 'active' : state.status,
    remarks: remarksAfter(state, event),
    sources: withSource(state, event.source),
  }
}

/** Its own words stay as they were said. */
function merge(state: Decision, event: Said<'merged'>): Decision {
  const { text, l1, source, authority } = event
  return {
    ...state,
    remarks: remarksAfter(state, event),
    merged: [...state.merged, { text, ...(l1 !== undefined && { l1 }), source, authority }],
    sources: withSource(state, source),
  }
}

/** A remark counts until the user has said plainly what holds, also when it is found after that. */
function remark(state: Decision, source: Source): Decision {
  const isSettled = state.sources.some(
    (known) => known.role === 'user' && known.session === source.session && !isOverBy(known, source),
  )
  return isSettled ? state : { ...state, remarks: state.remarks.concat([source]) }
}

function supersede(state: Decision, event: Said<'superseded'>): Decision {
  const supersededBy = state.supersededBy.concat([linkTo(event.supersededBy, event)])
  if (event.area !== undefined || state.status === 'retracted') return { ...state, supersededBy }
  return { ...end(state, event), supersededBy, status: 'superseded' }
}

function end(state: Decision, { source, reason }: Said<'superseded' | 'retracted'>): Decision {
  const ended = { source, ...(reason !== undefined && { reason }) }
  return { ...state, status: 'retracted', ended }
}

function linkTo(id: string, { source, reason, area }: Said<'superseded'>): SupersededLink {
  return {
    id,
    source,
    ...(area !== undefined && { area: normalArea(area) }),
    ...(reason !== undefined && { reason }),
  }
}

/** The user's next plain words settle what a remark left open. */
function remarksAfter({ remarks }: Decision, { authority, source }: SaidEvent): readonly Source[] {
  const isUsers = authority === 'stated' || authority === 'accepted'
  return isUsers ? remarks.filter((said) => isOverBy(source, said)) : remarks
}

function withSource({ sources }: Decision, source: Source): readonly Source[] {
  const { hash, session, message, start } = source
  const isKnown = sources.some(
    (known) =>
      known.hash === hash && known.session === session && known.message === message && known.start === start,
  )
  // A spread makes room for sixteen more.
  return isKnown ? sources : sources.concat([source])
}

function finderOf(event: Pick<SaidEvent, 'by' | 'imported'>): Finder {
  return isImported(event) ? 'import' : event.by
}
