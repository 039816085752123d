import type { Decision } from '../log/decision.ts'
import type { Choice, SaidEvent } from '../log/decision-event.ts'
import type { DecisionLedger } from '../log/decision-ledger.ts'
import { normalArea, normalSlot } from '../log/normal-text.ts'
import type { Source } from '../log/source.ts'
import { standingEvents } from '../log/standing-events.ts'
import { wordsOf } from './near-text.ts'
import { isProse, nameKey, slotPrefix, valueKey } from './value-key.ts'

/** Decisions that are remembered of one word, the newest: a word that more of them have tells nothing. */
const MAX_POSTINGS = 64

/** Finds decisions, of every status, by what they say and by where that was said. Lists are in the order of the log. */
export interface LedgerIndex {
  /** Ids of the active and proposed decisions of a slot in an area. */
  standing(slot: string, area: string): readonly string[]
  /** Ids of the decisions of a slot with a value, in any area. */
  withValue(slot: string, value: string): readonly string[]
  /** Ids of the decisions of any slot with a value; of a name that was given, by that name. */
  ofValue(key: string): readonly string[]
  /** Ids of the decisions that a merge added a text to. */
  withMerged(key: string): readonly string[]
  /** Ids of the decisions of a slot that a stretch of a message is a source of. */
  saidAt(slot: string, source: Source): readonly string[]
  /** Ids of the decisions that a stretch of a message ended. */
  endedAt(source: Source): readonly string[]
  /** Ids of the decisions that a stretch of a message left open. */
  remarkedAt(source: Source): readonly string[]
  /** Ids of the decisions that were begun last. */
  newest(count: number): readonly string[]
  /** Ids of the newest decisions whose text has a word: of all slots, or of those that hold sentences. */
  withWord(word: string): readonly string[]
  ofCategory(category: string): readonly string[]
}

interface Growing extends LedgerIndex {
  /** Events that were read. */
  read: number
  add(event: SaidEvent): void
}

const indexes = new WeakMap<DecisionLedger, Growing>()

/** The index of a ledger, brought up to date: costs what was appended since the last call, after a withdrawal the whole log. */
export function indexOf(ledger: DecisionLedger): LedgerIndex {
  const { events } = ledger
  let index = indexes.get(ledger)
  const fresh = events.slice(index?.read ?? 0)
  if (index === undefined || fresh.some(({ type }) => type === 'withdrawn')) {
    index = createIndex()
    for (const event of standingEvents(events)) index.add(event)
    indexes.set(ledger, index)
  } else for (const event of fresh) if (event.type !== 'withdrawn') index.add(event)
  index.read = events.length
  return index
}

function createIndex(): Growing {
  /** The slot of each decision, and the decisions in their order. */
  const slots = new Map<string, string>()
  const begun: string[] = []
  /** What stands, by slot and area, and the set that each decision is in. */
  const standing = new Map<string, Set<string>>()
  const setOf = new Map<string, Set<string>>()
  const lists = new Map<string, string[]>()
  const list = (...key: readonly unknown[]): readonly string[] => lists.get(JSON.stringify(key)) ?? []
  const push = (id: string, ...parts: readonly unknown[]): string[] => {
    const key = JSON.stringify(parts)
    const known = lists.get(key) ?? []
    if (known.length === 0) lists.set(key, known)
    if (known.at(-1) !== id) known.push(id)
    return known
  }
  const begin = (id: string, choice: Choice): void => {
    const slot = normalSlot(choice.slot)
    slots.set(id, slot)
    begun.push(id)
    const part = partOf(slot, choice.area)
    const set = standing.get(part) ?? new Set()
    standing.set(part, set.add(id))
    setOf.set(id, set)
    const key = valueKey(choice.choice)
    push(id, 'slot', slot, key)
    push(id, 'value', slotPrefix(slot) === 'name' ? nameKey(choice.choice) : key)
    push(id, 'category', choice.category)
    addWords(id, textOf(choice))
  }
  const addWords = (id: string, text: string): void => {
    for (const word of wordsOf(text).words) {
      const known = push(id, 'word', word)
      if (known.length > MAX_POSTINGS) known.shift()
    }
  }
  return {
    read: 0,
    add(event) {
      if ((event.type === 'asserted' || event.type === 'proposed') && !slots.has(event.decision))
        begin(event.decision, event.choice)
      const slot = slots.get(event.decision)
      if (slot === undefined) return
      if (event.type === 'retracted' || (event.type === 'superseded' && event.area === undefined))
        setOf.get(event.decision)?.delete(event.decision)
      if (event.type === 'retracted' || event.type === 'superseded')
        push(event.decision, 'ended', place('', event.source))
      else if (event.type === 'merged') {
        push(event.decision, 'merged', valueKey(event.text))
        addWords(event.decision, event.text)
      } else if (event.type === 'remarked') push(event.decision, 'remarked', place('', event.source))
      else push(event.decision, 'said', place(slot, event.source))
    },
    standing: (slot, area) => [...(standing.get(partOf(normalSlot(slot), area)) ?? [])],
    withValue: (slot, value) => list('slot', normalSlot(slot), valueKey(value)),
    ofValue: (key) => list('value', key),
    withMerged: (key) => list('merged', key),
    saidAt: (slot, source) => list('said', place(normalSlot(slot), source)),
    endedAt: (source) => list('ended', place('', source)),
    remarkedAt: (source) => list('remarked', place('', source)),
    newest: (count) => begun.slice(-count),
    withWord: (word) => list('word', word),
    ofCategory: (category) => list('category', category),
  }
}

/** What a choice says, for comparing words: where and what. */
export function textOf({ slot, area, choice }: Pick<Choice, 'slot' | 'area' | 'choice'>): string {
  return isProse(slot) ? choice : `${choice} ${normalArea(area)}`
}

function partOf(slot: string, area: string): string {
  return JSON.stringify([slot, normalArea(area)])
}

function place(slot: string, { session, message, start, hash }: Source): string {
  return JSON.stringify([slot, session, message, start, hash])
}

/** The decisions of some ids. */
export function decisionsOf(ids: readonly string[], ledger: DecisionLedger): Decision[] {
  return ids.flatMap((id) => ledger.get(id) ?? [])
}
