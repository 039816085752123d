import type { Decision, DecisionSet } from './decision.ts'
import { type DecisionEvent, type SaidEvent, standingEvents } from './decision-event.ts'
import { beginState, type DecisionState, nextState, takePlace } from './decision-state.ts'
import { Layer } from './layer.ts'
import { normalSlot, normalValue } from './normal-text.ts'

/** A log and what it amounts to, for reading. */
export interface LedgerView extends DecisionSet {
  readonly changes: readonly string[]
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
  readonly decisions: Folded
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
  /** Decisions as readers were given them; undefined for one that has changed since. */
  const views = new Map<string, Decision | undefined>()
  let changes: string[] = []
  const decisions = createFolded(below?.decisions, (id) => {
    // A decision that no reader has seen has no view.
    if (base !== undefined || views.has(id)) views.set(id, undefined)
    changes.push(id)
  })
  /** Every decision as of a place of the changes, and where each is. */
  let all:
    | { readonly list: readonly Decision[]; readonly places: Map<string, number> | undefined; read: number }
    | undefined

  const append = (events: readonly DecisionEvent[]): void => {
    const fresh = events.filter(({ id }) => {
      const isNew = ids.get(id) === undefined
      ids.set(id, true)
      return isNew
    })
    if (fresh.some(({ type }) => type === 'withdrawn')) {
      added = [...(base?.events ?? []), ...added, ...fresh]
      base = undefined
      all = undefined
      changes = []
      decisions.clear()
      views.clear()
      standingEvents(added).forEach(decisions.apply)
      return
    }
    const first = (base?.events.length ?? 0) + added.length
    fresh.forEach((event, index) => {
      added.push(event)
      if (event.type !== 'withdrawn') decisions.apply(event, first + index)
    })
  }

  const get = (id: string): Decision | undefined => {
    const known = views.get(id)
    if (known !== undefined) return known
    if (base !== undefined && !views.has(id)) return base.get(id)
    const view = viewOf(id, decisions)
    views.set(id, view)
    return view
  }
  const getAll = (some: Iterable<string>): Decision[] => {
    const found: Decision[] = []
    for (const id of some) {
      const decision = get(id)
      if (decision !== undefined) found.push(decision)
    }
    return found
  }
  const readAll = (): readonly Decision[] => {
    if (all === undefined) {
      all = { list: getAll(decisions.states.keys()), places: undefined, read: changes.length }
    } else if (all.read < changes.length) {
      const list = all.list.slice()
      const places = all.places ?? new Map(list.map(({ id }, place) => [id, place]))
      for (const decision of getAll(new Set(changes.slice(all.read)))) {
        const place = places.get(decision.id) ?? list.length
        places.set(decision.id, place)
        list[place] = decision
      }
      all = { list, places, read: changes.length }
    }
    return all.list
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
    draft: () => createLedger({ ledger, ids, decisions }),
    get changes() {
      return changes
    },
    get all() {
      return readAll()
    },
    get,
    ofSlot: (slot) => getAll(decisions.bySlot.get(normalSlot(slot)) ?? []),
  }
  return ledger
}

/** The decisions that events amount to, each without what depends on others. */
interface Folded {
  readonly states: Layer<string, DecisionState>
  /** Ids by slot, of what is active or proposed. */
  readonly bySlot: Layer<string, string[]>
  /** The same by subject, of what only one can hold for. */
  readonly bySubject: Layer<string, string[]>
  /** Ids of the decisions that rest on one. */
  readonly dependants: Layer<string, string[]>
  readonly apply: (event: SaidEvent, index: number) => void
  clear(): void
}

function createFolded(below: Folded | undefined, changed: (id: string) => void): Folded {
  const states = new Layer(below?.states)
  const bySlot = new Layer(below?.bySlot)
  const bySubject = new Layer(below?.bySubject)
  const dependants = new Layer(below?.dependants)

  const change = (state: DecisionState): void => {
    const { id, slot, ended } = state.decision
    const { subject } = state
    states.set(id, state)
    changed(id)
    // It may contest the others of its subject, and those that rest on it may be in doubt.
    if (subject !== undefined)
      for (const other of bySubject.get(subject) ?? []) if (other !== id) changed(other)
    for (const other of dependants.get(id) ?? []) changed(other)
    if (!ended) return
    drop(bySlot, slot, id)
    if (subject !== undefined) drop(bySubject, subject, id)
  }

  const begin = (event: SaidEvent): DecisionState | undefined => {
    if (event.type !== 'asserted' && event.type !== 'proposed') return undefined
    const state = beginState(event)
    const { id, slot, dependsOn } = state.decision
    push(bySlot, slot, id)
    if (state.subject !== undefined) push(bySubject, state.subject, id)
    for (const basis of dependsOn) push(dependants, basis, id)
    return state
  }

  return {
    states,
    bySlot,
    bySubject,
    dependants,
    apply(event, index) {
      const before = states.get(event.decision) ?? begin(event)
      if (before === undefined) return
      change(nextState(before, event, index))
      const successor = event.type === 'superseded' ? states.get(event.supersededBy) : undefined
      if (event.type === 'superseded' && successor) change(takePlace(successor, event))
    },
    clear() {
      for (const layer of [states, bySlot, bySubject, dependants]) layer.clear()
    },
  }
}

/** A list of this layer grows in place: a copy for each of many that decide on one slot would be quadratic. */
function push(lists: Layer<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list !== undefined && list === lists.own(key)) list.push(value)
  else lists.set(key, list?.concat([value]) ?? [value])
}

function drop(lists: Layer<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list?.includes(value))
    lists.set(
      key,
      list.filter((other) => other !== value),
    )
}

/** A decision as readers see it, with what depends on others: those of its subject, and those that it rests on. */
function viewOf(id: string, { states, bySubject }: Folded): Decision | undefined {
  const { decision, subject, saidAt = 0 } = states.get(id) ?? {}
  if (decision?.status !== 'active')
    return decision && Object.freeze(decision.remarks.length === 0 ? decision : { ...decision, remarks: [] })
  const rivals = subject === undefined ? [] : (bySubject.get(subject) ?? [])
  const contestedBy = rivals.filter((other) => isRival(decision, states.get(other)?.decision))
  /** The first decision that it rests on and that ended after it was said last. */
  const suspectOf = decision.dependsOn.find((basis) => (states.get(basis)?.endedAt ?? 0) > saidAt)
  if (contestedBy.length === 0 && suspectOf === undefined) return Object.freeze(decision)
  return Object.freeze({ ...decision, contestedBy, ...(suspectOf !== undefined && { suspectOf }) })
}

/** Whether two decisions for which only one can hold say different things of one subject. */
function isRival(one: Decision, other: Decision | undefined): boolean {
  return (
    other !== undefined &&
    other.id !== one.id &&
    other.status === 'active' &&
    normalValue(one.choice) !== normalValue(other.choice)
  )
}
