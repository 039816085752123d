import type { Decision, DecisionSet } from '../log/decision.ts'
import { type Choice, type SaidEvent, standingEvents } from '../log/decision-event.ts'
import type { LedgerView } from '../log/decision-ledger.ts'
import { Layer } from '../log/layer.ts'
import { normalArea, normalSlot } from '../log/normal-text.ts'
import type { Source } from '../log/source.ts'
import { wordsOf } from './near-text.ts'
import { isProse, nameKey, slotPrefix, valueKey } from './value-key.ts'

/** Decisions that are remembered of one word, the newest: a word that more of them have tells nothing. */
const MAX_POSTINGS = 64
/** Decisions of any kind that are remembered as the newest. */
const MAX_NEWEST = 200

/**
 * Finds decisions, of every status, by what they say and by where that was said. Lists are in the order of the log, and grow
 * with it: they are read at once.
 */
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
  /** Ids of the 200 decisions that were begun last. */
  newest(): readonly string[]
  /** Ids of the newest decisions whose text has a word: of all slots, or of those that hold sentences. */
  withWord(word: string): readonly string[]
  ofCategory(category: string): readonly string[]
}

/** The parts that an index shares with the indexes of drafts. */
interface Shared {
  /** The slot of each decision, and the part of the project with it. */
  readonly slots: Layer<string, { readonly slot: string; readonly part: string }>
  readonly lists: Layer<string, string[]>
}

interface Growing extends LedgerIndex {
  readonly shared: Shared
  readonly base: LedgerView | undefined
  /** Events that were read, of those that the ledger adds to its base. */
  read: number
  add(event: SaidEvent): void
}

const indexes = new WeakMap<LedgerView, Growing>()

/** The index of a ledger, brought up to date: costs what was appended since the last call, after a withdrawal the whole log. */
export function indexOf(ledger: LedgerView): LedgerIndex {
  return growingOf(ledger)
}

function growingOf(ledger: LedgerView): Growing {
  const { base, added } = ledger
  const known = indexes.get(ledger)
  const fresh = known?.base === base ? added.slice(known?.read) : added
  const goesOn = known?.base === base && fresh.every(({ type }) => type !== 'withdrawn')
  const index = (goesOn ? known : undefined) ?? createIndex(base)
  for (const event of standingEvents(index === known ? fresh : added)) index.add(event)
  index.read = added.length
  indexes.set(ledger, index)
  return index
}

function createIndex(base: LedgerView | undefined): Growing {
  const below = base && growingOf(base).shared
  const slots = new Layer(below?.slots)
  const lists = new Layer(below?.lists)
  const list = (kind: string, key: string): readonly string[] => lists.get(kind + key) ?? []
  /** Of those that have it in common, only the newest are remembered. */
  const newest = (count: number, kind: string, key: string): readonly string[] => {
    const known = list(kind, key)
    return known.length > count ? known.slice(-count) : known
  }
  /** A list of this layer grows in place, and is cut when it has twice as many as are asked for. */
  const push = (id: string, kind: string, key: string, most = Number.POSITIVE_INFINITY): void => {
    const known = lists.get(kind + key)
    if (known?.at(-1) === id) return
    if (known === undefined) lists.set(kind + key, [id])
    else if (known === lists.own(kind + key) && known.length < 2 * most) known.push(id)
    else lists.set(kind + key, known.slice(-most).concat([id]))
  }
  const addWords = (id: string, text: string): void => {
    for (const word of wordsOf(text).words) push(id, 'word', word, MAX_POSTINGS)
  }
  const begin = (id: string, choice: Choice): void => {
    const slot = normalSlot(choice.slot)
    const part = partOf(slot, choice.area)
    slots.set(id, { slot, part })
    push(id, 'begun', '', MAX_NEWEST)
    push(id, 'standing', part)
    const key = valueKey(choice.choice)
    push(id, 'slot', inSlot(slot, key))
    push(id, 'value', slotPrefix(slot) === 'name' ? nameKey(choice.choice) : key)
    push(id, 'category', choice.category, MAX_POSTINGS)
    addWords(id, textOf(choice))
  }
  return {
    shared: { slots, lists },
    base,
    read: 0,
    add(event) {
      const { decision: id, source } = event
      if ((event.type === 'asserted' || event.type === 'proposed') && slots.get(id) === undefined)
        begin(id, event.choice)
      const known = slots.get(id)
      if (known === undefined) return
      if (event.type === 'retracted' || (event.type === 'superseded' && event.area === undefined))
        lists.set(
          `standing${known.part}`,
          list('standing', known.part).filter((other) => other !== id),
        )
      if (event.type === 'retracted' || event.type === 'superseded') push(id, 'ended', place('', source))
      else if (event.type === 'merged') {
        push(id, 'merged', valueKey(event.text))
        addWords(id, event.text)
      } else if (event.type === 'remarked') push(id, 'remarked', place('', source))
      else push(id, 'said', place(known.slot, source))
    },
    standing: (slot, area) => list('standing', partOf(normalSlot(slot), area)),
    withValue: (slot, value) => list('slot', inSlot(normalSlot(slot), valueKey(value))),
    ofValue: (key) => list('value', key),
    withMerged: (key) => list('merged', key),
    saidAt: (slot, source) => list('said', place(normalSlot(slot), source)),
    endedAt: (source) => list('ended', place('', source)),
    remarkedAt: (source) => list('remarked', place('', source)),
    newest: () => newest(MAX_NEWEST, 'begun', ''),
    withWord: (word) => newest(MAX_POSTINGS, 'word', word),
    ofCategory: (category) => newest(MAX_POSTINGS, 'category', category),
  }
}

/** The words of a choice, for comparing. */
export function textOf({ slot, area, choice }: Pick<Choice, 'slot' | 'area' | 'choice'>): string {
  return isProse(slot) ? choice : `${choice} ${normalArea(area)}`
}

function partOf(slot: string, area: string): string {
  return inSlot(slot, normalArea(area))
}

/** A slot has no white space. */
function inSlot(slot: string, key: string): string {
  return `${slot}\n${key}`
}

function place(slot: string, { session, message, start, hash }: Source): string {
  return inSlot(slot, `${message} ${start} ${hash} ${session}`)
}

/** The decisions of some ids. */
export function decisionsOf(ids: readonly string[], ledger: DecisionSet): Decision[] {
  return ids.flatMap((id) => ledger.get(id) ?? [])
}
