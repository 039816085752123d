import type { Decision } from './decision.ts'
import type { DecisionEvent, SaidEvent } from './decision-event.ts'
import type { DecisionSet } from './decision-set.ts'
import { beginState, type DecisionState, nextState, takePlace } from './decision-state.ts'
import { Layer } from './layer.ts'
import { normalSlot, normalValue } from './normal-text.ts'
import { standingEvents } from './standing-events.ts'

/** A log and what it amounts to, for reading. */
export interface LedgerView extends DecisionSet {
  /** Every event, in order. */
  readonly events: readonly DecisionEvent[]
  has(eventId: string): boolean
  /**
   * A ledger that goes on from here: what is appended to it does not change this one. It costs what is appended, and is
   * good for as long as nothing is appended here.
   */
  draft(): DecisionLedger
  /** The ledger below a draft, and the events that the draft adds. After a withdrawal nothing is below it. */
  readonly base: LedgerView | undefined
  readonly added: readonly DecisionEvent[]
}

/** The log in memory and what it amounts to. */
export interface DecisionLedger extends LedgerView {
  /** Takes events behind the others; one whose id it has is passed over. An event costs what it changes, a withdrawal the whole log. */
  append(events: readonly DecisionEvent[]): void
}

/** The parts that a ledger shares with the drafts on it. */
interface Shared {
  readonly ledger: LedgerView
  readonly ids: Layer<string, true>
  readonly states: Layer<string, DecisionState>
  readonly bySlot: Layer<string, readonly string[]>
  readonly dependants: Layer<string, readonly string[]>
}

/**
 * The decisions of a log: the same for the same events in the same order. An event about a decision that the log does not
 * know is passed over, so that a part of a log can be read too.
 */
export function createDecisionLedger(initial: readonly DecisionEvent[] = []): DecisionLedger {
  const ledger = createLedger(undefined)
  ledger.append(initial)
  return ledger
}

function createLedger(below: Shared | undefined): DecisionLedger {
  let base = below?.ledger
  let added: DecisionEvent[] = []
  const ids = new Layer(below?.ids)
  const states = new Layer(below?.states)
  /** Ids by slot, of what is active or proposed. */
  const bySlot = new Layer(below?.bySlot)
  /** Ids of the decisions that rest on one. */
  const dependants = new Layer(below?.dependants)
  /** Decisions as readers were given them; undefined for one that has changed since. */
  const views = new Map<string, Decision | undefined>()

  const change = (state: DecisionState): void => {
    states.set(state.id, state)
    const inSlot = bySlot.get(state.slot) ?? []
    if (state.ended && inSlot.includes(state.id))
      bySlot.set(
        state.slot,
        inSlot.filter((id) => id !== state.id),
      )
    // It may contest the others of its slot, and those that rest on it may be in doubt.
    const rivals = state.cardinality === 'one' ? inSlot : []
    for (const id of [state.id, ...rivals, ...(dependants.get(state.id) ?? [])]) views.set(id, undefined)
  }

  const begin = (event: SaidEvent): DecisionState | undefined => {
    if (event.type !== 'asserted' && event.type !== 'proposed') return undefined
    const state = beginState(event)
    push(bySlot, state.slot, state.id)
    for (const basis of state.dependsOn) push(dependants, basis, state.id)
    return state
  }

  const apply = (event: SaidEvent, index: number): void => {
    const before = states.get(event.decision) ?? begin(event)
    if (before === undefined) return
    change(nextState(before, event, index))
    const successor = event.type === 'superseded' ? states.get(event.supersededBy) : undefined
    if (event.type === 'superseded' && successor) change(takePlace(successor, event))
  }

  const append = (events: readonly DecisionEvent[]): void => {
    const fresh = events.filter(({ id }) => {
      const isNew = ids.get(id) === undefined
      ids.set(id, true)
      return isNew
    })
    if (fresh.some(({ type }) => type === 'withdrawn')) {
      added = [...(base?.events ?? []), ...added, ...fresh]
      base = undefined
      for (const map of [states, bySlot, dependants, views]) map.clear()
      standingEvents(added).forEach(apply)
      return
    }
    const first = (base?.events.length ?? 0) + added.length
    fresh.forEach((event, index) => {
      added.push(event)
      if (event.type !== 'withdrawn') apply(event, first + index)
    })
  }

  const get = (id: string): Decision | undefined => {
    const known = views.get(id)
    if (known !== undefined) return known
    if (base !== undefined && !views.has(id)) return base.get(id)
    const state = states.get(id)
    if (state === undefined) return undefined
    const view = viewOf(state, states, bySlot.get(state.slot) ?? [])
    views.set(id, view)
    return view
  }

  const ledger: DecisionLedger = {
    get base() {
      return base
    },
    get added() {
      return added
    },
    get events() {
      return base === undefined ? added : [...base.events, ...added]
    },
    has: (id) => ids.get(id) !== undefined,
    append,
    draft: () => createLedger({ ledger, ids, states, bySlot, dependants }),
    get all() {
      return [...states.keys()].flatMap((id) => get(id) ?? [])
    },
    get,
    ofSlot: (slot) => (bySlot.get(normalSlot(slot)) ?? []).flatMap((id) => get(id) ?? []),
  }
  return ledger
}

function push(lists: Layer<string, readonly string[]>, key: string, value: string): void {
  lists.set(key, [...(lists.get(key) ?? []), value])
}

/** A decision as readers see it, with what depends on others: those of its slot, and those that it rests on. */
function viewOf(
  state: DecisionState,
  states: Pick<Layer<string, DecisionState>, 'get'>,
  inSlot: readonly string[],
): Decision {
  const { saidAt, endedAt: _, ...rest } = state
  if (state.status !== 'active') return Object.freeze({ ...rest, remarks: [], contestedBy: [] })
  const contestedBy = inSlot.filter((id) => {
    const other = states.get(id)
    return other !== undefined && isRival(state, other)
  })
  /** The first decision that it rests on and that ended after it was said last. */
  const suspectOf = state.dependsOn.find((id) => {
    const basis = states.get(id)
    return basis?.ended !== undefined && basis.endedAt > saidAt
  })
  return Object.freeze({ ...rest, contestedBy, ...(suspectOf !== undefined && { suspectOf }) })
}

function isRival(one: DecisionState, other: DecisionState): boolean {
  return (
    one.cardinality === 'one' &&
    other.cardinality === 'one' &&
    other.status === 'active' &&
    one.scope === other.scope &&
    one.area === other.area &&
    normalValue(one.choice) !== normalValue(other.choice)
  )
}
