import type { Slot } from '../section-headings.ts'
import type { Item } from './item.ts'
import { slotName } from './render.ts'

/** Items by what they are worth against each other; the worthiest first but in `inOrder`. */
export interface RankedItems {
  readonly inOrder: readonly Item[]
  readonly all: readonly Item[]
  readonly bySlot: ReadonlyMap<string, readonly Item[]>
  /** Those about the focus topic. */
  readonly focused: readonly Item[]
}

/** What the items of a slot are worth against those of another, at equal weight. */
const SLOT_WORTH: Readonly<Record<Slot, number>> = {
  Goal: 0.9,
  'Constraints & Preferences': 0.95,
  Done: 0.65,
  'In Progress': 1,
  Blocked: 0.9,
  'Key Decisions': 0.85,
  'Relevant Files': 0.7,
  'Errors & Fixes': 0.6,
  'Next Steps': 0.9,
  'Critical Context': 1.1,
}
const FOREIGN_WORTH = 0.5
/** What the oldest item of a slot keeps of its worth, and the oldest of those that hold until revoked. */
const OLDEST = 0.4
const OLDEST_LASTING = 0.85
const FOCUS_FACTOR = 2.5
/** A term of the focus topic that this share of all items holds is left out. */
const COMMON_SHARE = 0.4

/** Ranks items: by slot, by their own weight, by age within their slot, and by the focus topic. */
export function rankItems(items: readonly Item[], focusTopic: string | undefined): RankedItems {
  const totals = new Map<string, number>()
  for (const { slot } of items) totals.set(slotName(slot), (totals.get(slotName(slot)) ?? 0) + 1)
  const positions = new Map<string, number>()
  const focused = itemsAbout(items, focusTopic)
  const worths = items.map((item): [number, Item] => {
    const name = slotName(item.slot)
    const position = (positions.get(name) ?? 0) + 1
    positions.set(name, position)
    const oldest = item.lasting ? OLDEST_LASTING : OLDEST
    const fresh = oldest + (1 - oldest) * (position / (totals.get(name) ?? 1))
    const base = typeof item.slot === 'string' ? SLOT_WORTH[item.slot] : FOREIGN_WORTH
    return [base * item.weight * fresh * (focused.has(item) ? FOCUS_FACTOR : 1), item]
  })
  const all = worths.sort(([a], [b]) => b - a).map(([, item]) => item)
  const bySlot = new Map<string, Item[]>()
  for (const item of all) {
    const name = slotName(item.slot)
    const list = bySlot.get(name)
    if (list === undefined) bySlot.set(name, [item])
    else list.push(item)
  }
  return { inOrder: items, all, bySlot, focused: all.filter((item) => focused.has(item)) }
}

/** Words of three or more characters, and runs of scripts that are written without spaces. */
function focusTerms(topic: string | undefined): string[] {
  const words = topic?.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []
  return words
    .filter(
      (word) =>
        (word.length > 2 || /[^\x20-\x7e]/.test(word)) && !/^(?:the|and|for|with|about|from)$/.test(word),
    )
    .slice(0, 20)
}

/** The items that hold a term of the topic; terms that most items hold tell nothing apart. */
function itemsAbout(items: readonly Item[], topic: string | undefined): ReadonlySet<Item> {
  const terms = focusTerms(topic)
  if (terms.length === 0) return new Set()
  const texts = items.map(({ text }) => text.toLowerCase())
  const hits = terms.map((term) => items.filter((_, index) => texts[index]?.includes(term)))
  const telling = hits.filter((found) => found.length < COMMON_SHARE * items.length)
  return new Set((telling.length > 0 ? telling : hits).flat())
}
