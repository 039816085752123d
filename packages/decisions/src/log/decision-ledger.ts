import { strongerAuthority } from './authority.ts'
import type { Decision, MergedClause, SupersededLink } from './decision.ts'
import type { DecisionEvent, Finder, SaidEvent } from './decision-event.ts'
import type { DecisionSet } from './decision-set.ts'
import { isImported } from './is-imported.ts'
import { normalArea, normalSlot, normalValue } from './normal-text.ts'
import { isOverBy } from './positions.ts'
import type { Source } from './source.ts'
import { standingEvents } from './standing-events.ts'

/** The log in memory and what it amounts to. */
export interface DecisionLedger extends DecisionSet {
  /** Every event, in order. */
  readonly events: readonly DecisionEvent[]
  /** Takes events behind the others; one whose id it has is passed over. An event costs what it changes, a withdrawal the whole log. */
  append(events: readonly DecisionEvent[]): void
  has(eventId: string): boolean
}

/** A decision while its events are being read. What depends on others is found out when somebody asks. */
type Growing = { -readonly [Key in keyof Decision]: Decision[Key] } & {
  sources: Decision['sources'][number][]
  merged: MergedClause[]
  remarks: Source[]
  supersedes: SupersededLink[]
  supersededBy: SupersededLink[]
  /** Places in the log: when it was said or confirmed last, and when it ended. */
  saidAt: number
  endedAt: number
}

/**
 * What a log amounts to: the same for the same events in the same order. An event about a decision that the log does not
 * know is passed over, so that a part of a log can be read too.
 */
export function createDecisionLedger(initial: readonly DecisionEvent[] = []): DecisionLedger {
  const events: DecisionEvent[] = []
  const ids = new Set<string>()
  const growing = new Map<string, Growing>()
  /** Ids by slot, of every status. */
  const bySlot = new Map<string, string[]>()
  /** Ids of the decisions that rest on one. */
  const dependants = new Map<string, string[]>()
  /** What readers were given; one that changed since is made anew. */
  const views = new Map<string, Decision>()

  const touch = (decision: Growing): void => {
    views.delete(decision.id)
    // Who may be contested by it.
    if (decision.cardinality === 'one') for (const id of bySlot.get(decision.slot) ?? []) views.delete(id)
    for (const id of dependants.get(decision.id) ?? []) views.delete(id)
  }

  const apply = (event: SaidEvent, index: number): void => {
    if ((event.type === 'asserted' || event.type === 'proposed') && !growing.has(event.decision)) {
      const decision = begin(event)
      growing.set(event.decision, decision)
      add(bySlot, decision.slot, decision.id)
      for (const base of decision.dependsOn) add(dependants, base, decision.id)
    }
    const decision = growing.get(event.decision)
    if (decision === undefined) return
    decision.lastAt = Math.max(decision.lastAt, event.at)
    if (event.type === 'superseded') supersede(growing, decision, event, index)
    else if (event.type === 'retracted') retract(decision, event, index)
    else if (event.type === 'merged') merge(decision, event, index)
    else if (event.type === 'remarked') remark(decision, event.source)
    else confirm(decision, event, index)
    touch(decision)
    if (event.type === 'superseded') views.delete(event.supersededBy)
  }

  const append = (added: readonly DecisionEvent[]): void => {
    const fresh = added.filter(({ id }) => !ids.has(id) && ids.add(id))
    const first = events.length
    for (const event of fresh) events.push(event)
    if (fresh.some(({ type }) => type === 'withdrawn')) {
      for (const map of [growing, bySlot, dependants, views]) map.clear()
      standingEvents(events).forEach(apply)
    } else
      fresh.forEach((event, index) => {
        if (event.type !== 'withdrawn') apply(event, first + index)
      })
  }

  const view = (decision: Growing): Decision => {
    const known = views.get(decision.id)
    if (known !== undefined) return known
    const { saidAt, endedAt: _, ...rest } = decision
    const suspectOf =
      decision.status === 'active' ? suspicion(growing, decision.dependsOn, saidAt) : undefined
    const seen: Decision = Object.freeze({
      ...rest,
      sources: [...rest.sources],
      merged: [...rest.merged],
      remarks: decision.status === 'active' ? [...rest.remarks] : [],
      supersedes: [...rest.supersedes],
      supersededBy: [...rest.supersededBy],
      contestedBy: rivals(decision),
      ...(suspectOf !== undefined && { suspectOf }),
    })
    views.set(decision.id, seen)
    return seen
  }

  const inSlot = (slot: string): Growing[] => (bySlot.get(slot) ?? []).flatMap((id) => growing.get(id) ?? [])

  const rivals = (decision: Growing): string[] =>
    decision.status !== 'active' || decision.cardinality !== 'one'
      ? []
      : inSlot(decision.slot)
          .filter((other) => other !== decision && other.status === 'active' && other.cardinality === 'one')
          .filter(({ scope, area }) => scope === decision.scope && area === decision.area)
          .filter(({ choice }) => normalValue(choice) !== normalValue(decision.choice))
          .map(({ id }) => id)

  append(initial)
  return {
    events,
    append,
    has: (id) => ids.has(id),
    get all() {
      return [...growing.values()].map(view)
    },
    get(id) {
      const decision = growing.get(id)
      return decision && view(decision)
    },
    ofSlot: (slot) =>
      inSlot(normalSlot(slot))
        .filter(({ status }) => status === 'active' || status === 'proposed')
        .map(view),
  }
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function begin({ choice, ...event }: SaidEvent & { readonly type: 'asserted' | 'proposed' }): Growing {
  return {
    ...choice,
    slot: normalSlot(choice.slot),
    area: normalArea(choice.area),
    id: event.decision,
    scope: event.scope,
    status: 'proposed',
    authority: 'proposed',
    by: finderOf(event),
    sources: [],
    merged: [],
    remarks: [],
    supersedes: [],
    supersededBy: [],
    contestedBy: [],
    firstAt: event.at,
    lastAt: event.at,
    saidAt: 0,
    endedAt: 0,
  }
}

/** Somebody says it, once more or for the first time. What is over stays over: a choice that is made again is a new one. */
function confirm(decision: Growing, event: SaidEvent, index: number): void {
  const authority = strongerAuthority(decision.authority, event.authority)
  if (authority !== decision.authority) decision.by = finderOf(event)
  decision.authority = authority
  if (decision.status === 'proposed' && event.authority !== 'proposed') decision.status = 'active'
  decision.saidAt = index
  if (isUsers(event)) settle(decision, event.source)
  addSource(decision, event.source)
}

/** Its own words stay as they were said; a claim that is added says nothing for them. */
function merge(decision: Growing, event: SaidEvent & { readonly type: 'merged' }, index: number): void {
  const { text, l1, source, authority } = event
  if (authority !== 'proposed') decision.saidAt = index
  if (isUsers(event)) settle(decision, source)
  decision.merged.push({ text, ...(l1 !== undefined && { l1 }), source, authority })
  addSource(decision, source)
}

/** A remark counts until the user has said plainly what holds, also when it is found after that. */
function remark({ sources, remarks }: Growing, source: Source): void {
  const isSettled = sources.some(
    (known) => known.role === 'user' && known.session === source.session && !isOverBy(known, source),
  )
  if (!isSettled) remarks.push(source)
}

function settle(decision: Growing, source: Source): void {
  decision.remarks = decision.remarks.filter((said) => isOverBy(source, said))
}

function finderOf(event: Pick<SaidEvent, 'by' | 'imported'>): Finder {
  return isImported(event) ? 'import' : event.by
}

function isUsers({ authority }: SaidEvent): boolean {
  return authority === 'stated' || authority === 'accepted'
}

function addSource({ sources }: Growing, source: Source): void {
  const { hash, session, message, start } = source
  const isKnown = sources.some(
    (known) =>
      known.hash === hash && known.session === session && known.message === message && known.start === start,
  )
  if (!isKnown) sources.push(source)
}

function retract(decision: Growing, event: SaidEvent & { readonly type: 'retracted' }, index: number): void {
  if (decision.status === 'superseded') return
  decision.status = 'retracted'
  end(decision, event, index)
}

function supersede(
  growing: ReadonlyMap<string, Growing>,
  decision: Growing,
  event: SaidEvent & { readonly type: 'superseded' },
  index: number,
): void {
  const { source, reason, area, supersededBy } = event
  const link = {
    source,
    ...(area !== undefined && { area: normalArea(area) }),
    ...(reason !== undefined && { reason }),
  }
  decision.supersededBy.push({ id: supersededBy, ...link })
  growing.get(supersededBy)?.supersedes.push({ id: decision.id, ...link })
  if (area !== undefined || decision.status === 'retracted') return
  decision.status = 'superseded'
  end(decision, event, index)
}

function end(
  decision: Growing,
  { source, reason }: SaidEvent & { readonly reason?: string },
  index: number,
): void {
  decision.ended = { source, ...(reason !== undefined && { reason }) }
  decision.endedAt = index
}

/** The first decision that another rests on and that ended after the other was said last. */
function suspicion(
  growing: ReadonlyMap<string, Growing>,
  dependsOn: readonly string[],
  saidAt: number,
): string | undefined {
  return dependsOn.find((id) => {
    const base = growing.get(id)
    return base?.ended !== undefined && base.endedAt > saidAt
  })
}
