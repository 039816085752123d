import type { Decision } from './decision.ts'
import {
  type DecisionEvent,
  isSingle,
  type SaidEvent,
  standingEvents,
  strongerAuthority,
  type Withdrawal,
} from './decision-event.ts'
import { normalSubject, normalValue, type Source } from './source.ts'

/** The events in memory, and the decisions that they result in. */
export interface DecisionLedger {
  /** Every event, in order. */
  readonly events: readonly DecisionEvent[]
  /** Decisions in the order of their first events. The same array until an event is appended. */
  readonly all: readonly Decision[]
  get(id: string): Decision | undefined
  has(eventId: string): boolean
  /** Active and proposed decisions on a subject. */
  ofSubject(subject: string): readonly Decision[]
  /** Appends events, ignoring known ids. */
  append(events: readonly DecisionEvent[]): void
  /** A copy to extend; this ledger stays unchanged. */
  draft(): DecisionLedger
}

/**
 * Computes the decisions of a log. The same events in the same order give the same result. Events about unknown
 * decisions are ignored, so part of a log can be read.
 */
export function createDecisionLedger(events: readonly DecisionEvent[] = []): DecisionLedger {
  const ledger = ledgerOf({
    events: [],
    withdrawals: [],
    ids: new Set(),
    decisions: new Map(),
    subjects: new Map(),
  })
  ledger.append(events)
  return ledger
}

interface State {
  readonly events: DecisionEvent[]
  readonly withdrawals: Withdrawal[]
  readonly ids: Set<string>
  readonly decisions: Map<string, Decision>
  readonly subjects: Map<string, readonly string[]>
}

function ledgerOf(state: State): DecisionLedger {
  const { events, withdrawals, ids, decisions, subjects } = state
  let all: readonly Decision[] | undefined
  return {
    events,
    get all() {
      all ??= [...decisions.values()]
      return all
    },
    get: (id) => decisions.get(id),
    has: (id) => ids.has(id),
    ofSubject: (subject) =>
      (subjects.get(normalSubject(subject)) ?? []).flatMap((id) => decisions.get(id) ?? []),
    append(more) {
      const fresh = more.filter(({ id }) => !ids.has(id) && ids.add(id))
      if (fresh.length === 0) return
      all = undefined
      for (const event of fresh) events.push(event)
      const gone = fresh.filter((event) => event.type === 'withdrawn')
      withdrawals.push(...gone)
      if (gone.length > 0) {
        decisions.clear()
        subjects.clear()
      }
      const added = gone.length > 0 ? events : [...withdrawals, ...fresh]
      for (const event of standingEvents(added)) apply(state, event)
    },
    draft: () =>
      ledgerOf({
        events: [...events],
        withdrawals: [...withdrawals],
        ids: new Set(ids),
        decisions: new Map(decisions),
        subjects: new Map(subjects),
      }),
  }
}

function apply(state: State, event: SaidEvent): void {
  const { decisions } = state
  const before = decisions.get(event.decision) ?? begin(event)
  if (before === undefined) return
  const after = { ...next(before, event), lastAt: Math.max(before.lastAt, event.at) }
  decisions.set(after.id, after)
  const successor = event.type === 'superseded' ? decisions.get(event.supersededBy) : undefined
  if (successor !== undefined)
    decisions.set(successor.id, { ...successor, supersedes: [...successor.supersedes, after.id] })
  regroup(state, after)
}

const NONE: readonly never[] = []

function begin(event: SaidEvent): Decision | undefined {
  if (event.type !== 'asserted' && event.type !== 'proposed') return undefined
  const { statement, decision: id, scope, by, at } = event
  return {
    ...statement,
    id,
    scope,
    by,
    status: 'proposed',
    authority: 'proposed',
    sources: NONE,
    merged: NONE,
    supersedes: NONE,
    contestedBy: NONE,
    firstAt: at,
    lastAt: at,
  }
}

/** An ended decision stays ended; choosing it again creates a new one. */
function next(before: Decision, event: SaidEvent): Decision {
  const { source, authority, by } = event
  const sources = withSource(before.sources, source)
  const isLive = before.status === 'active' || before.status === 'proposed'
  switch (event.type) {
    case 'merged': {
      const merged =
        event.text === undefined ? before.merged : [...before.merged, { text: event.text, authority }]
      return { ...before, sources, merged }
    }
    case 'superseded':
    case 'retracted': {
      if (!isLive) return before
      const ended = { source, ...(event.reason !== undefined && { reason: event.reason }) }
      return event.type === 'retracted'
        ? { ...before, status: 'retracted', ended }
        : { ...before, status: 'superseded', ended, supersededBy: event.supersededBy }
    }
    default: {
      const stronger = strongerAuthority(before.authority, authority)
      const isTaken = before.status === 'proposed' && authority !== 'proposed'
      return {
        ...before,
        sources,
        authority: stronger,
        by: stronger === before.authority ? before.by : by,
        status: isTaken ? 'active' : before.status,
      }
    }
  }
}

function withSource(sources: readonly Source[], source: Source): readonly Source[] {
  const { session, seq, start } = source
  const isKnown = sources.some(
    (known) => known.session === session && known.seq === seq && known.start === start,
  )
  return isKnown ? sources : [...sources, source]
}

function regroup({ decisions, subjects }: State, changed: Decision): void {
  const key = normalSubject(changed.subject)
  const before = subjects.get(key) ?? NONE
  const isLive = changed.status === 'active' || changed.status === 'proposed'
  const live = before.filter((id) => id !== changed.id || isLive)
  if (isLive && !before.includes(changed.id)) live.push(changed.id)
  subjects.set(key, live)
  const stated = live
    .flatMap((id) => decisions.get(id) ?? [])
    .filter(({ status, authority }) => status === 'active' && authority === 'stated')
  for (const id of new Set([...live, changed.id])) {
    const decision = decisions.get(id)
    if (decision === undefined) continue
    const contestedBy = stated.includes(decision)
      ? stated.filter((other) => isConflicting(decision, other)).map((other) => other.id)
      : NONE
    if (contestedBy.join() !== decision.contestedBy.join()) decisions.set(id, { ...decision, contestedBy })
  }
}

function isConflicting(a: Decision, b: Decision): boolean {
  if (a.scope !== b.scope || normalValue(a.value) === normalValue(b.value)) return false
  return (isSingle(a.kind) && isSingle(b.kind)) || a.contradicts === b.id || b.contradicts === a.id
}
