import type { Decision, DecisionSet } from '../log/decision.ts'
import { type SaidEvent, standingEvents } from '../log/decision-event.ts'
import type { DecisionLedger } from '../log/decision-ledger.ts'
import type { Among } from '../render/match-scores.ts'
import { SortedList } from '../render/sorted-list.ts'

/** Filters whose lists are kept for one log. */
const MAX_LISTS = 8

/** The decisions of a log that fit a filter. */
export interface FittingList extends Among {
  /** Their places in `all`. */
  readonly numbers: readonly number[]
}

/** The lookups of the tools in a log. They are kept up to date: a call costs what has changed since the last one, the first the whole log. */
export interface LogIndex {
  /** `key` names the filter `isMeant`: the same for the same. */
  fitting(key: string, isMeant: (decision: Decision) => boolean): FittingList
  /** Ids that begin with a text, in alphabetical order. */
  beginning(text: string): readonly string[]
  /** Ids of the decisions that rest on one, in the order of the log. */
  dependants(id: string): readonly string[]
  /** The events that name a decision and whose messages still stand, in the order of the log. */
  events(id: string): readonly SaidEvent[]
}

const indexes = new WeakMap<
  DecisionLedger,
  { readonly changes: readonly string[]; readonly index: LogIndex }
>()

export function logIndexOf(ledger: DecisionLedger): LogIndex {
  const known = indexes.get(ledger)
  // Changes begin anew when messages were taken back.
  if (known?.changes === ledger.changes) return known.index
  const index = createIndex(ledger)
  indexes.set(ledger, { changes: ledger.changes, index })
  return index
}

function createIndex(ledger: DecisionLedger): LogIndex {
  const lists = new Map<string, () => FittingList>()
  const identities = identitiesOf(ledger)
  const events = new Map<string, SaidEvent[]>()
  let read = 0
  return {
    fitting(key, isMeant) {
      const list = lists.get(key) ?? fittingIn(ledger, isMeant)
      if (!lists.has(key) && lists.size >= MAX_LISTS) lists.clear()
      lists.set(key, list)
      return list()
    },
    beginning: (text) => identities().sorted.from(text, (id) => id.startsWith(text)),
    dependants: (id) => identities().dependants.get(id) ?? [],
    events(id) {
      const all = ledger.events
      for (const event of standingEvents(read === 0 ? all : all.slice(read))) {
        push(events, event.decision, event)
        if ('supersededBy' in event && event.supersededBy !== event.decision)
          push(events, event.supersededBy, event)
      }
      read = all.length
      return events.get(id) ?? []
    },
  }
}

/** The decisions that are new or have changed since the last call; at first, all. */
function follow(ledger: DecisionSet): () => readonly Decision[] {
  let read: number | undefined
  return () => {
    const { changes = [] } = ledger
    const ids = read === undefined ? undefined : new Set(changes.slice(read))
    read = changes.length
    return ids === undefined ? ledger.all : [...ids].flatMap((id) => ledger.get(id) ?? [])
  }
}

function fittingIn(ledger: DecisionLedger, isMeant: (decision: Decision) => boolean): () => FittingList {
  const changed = follow(ledger)
  const numbers = new Map<string, number>()
  const members: boolean[] = []
  const sorted = new SortedList<number>((a, b) => a - b)
  return () => {
    const { all } = ledger
    for (let number = numbers.size; number < all.length; number++) numbers.set(all[number]?.id ?? '', number)
    const removed: number[] = []
    const added: number[] = []
    for (const decision of changed()) {
      const number = numbers.get(decision.id) ?? 0
      const fits = isMeant(decision)
      if (fits === (members[number] ?? false)) continue
      members[number] = fits
      if (fits) added.push(number)
      else removed.push(number)
    }
    sorted.change(removed, added)
    const { items } = sorted
    return { numbers: items, size: items.length, has: (number) => members[number] === true }
  }
}

function identitiesOf(ledger: DecisionLedger) {
  const changed = follow(ledger)
  const known = new Set<string>()
  const sorted = new SortedList<string>((a, b) => (a < b ? -1 : Number(a > b)))
  const dependants = new Map<string, string[]>()
  return () => {
    const fresh = changed().filter(({ id }) => !known.has(id))
    for (const { id, dependsOn } of fresh) {
      known.add(id)
      for (const basis of new Set(dependsOn)) push(dependants, basis, id)
    }
    sorted.change(
      [],
      fresh.map(({ id }) => id),
    )
    return { sorted, dependants }
  }
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
