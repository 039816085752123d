import type { Slot } from '../section-headings.ts'
import type { Item } from './item.ts'
import { slotName } from './render.ts'

/** An item with what it is worth against the items of all slots. */
export interface Ranked {
  readonly item: Item
  readonly worth: number
  /** True when it is about the focus topic. */
  readonly focused: boolean
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
  'Critical Context': 0.9,
}
const FOREIGN_WORTH = 0.5
/** What the oldest item of a slot keeps of its worth. */
const OLDEST = 0.4
const FOCUS_FACTOR = 2.5

/** Ranks items: by slot, by their own weight, by age within their slot, and by the focus topic. */
export function rankItems(items: readonly Item[], focusTopic: string | undefined): Ranked[] {
  const totals = new Map<string, number>()
  for (const { slot } of items) totals.set(slotName(slot), (totals.get(slotName(slot)) ?? 0) + 1)
  const seen = new Map<string, number>()
  const terms = focusTerms(focusTopic)
  return items.map((item) => {
    const name = slotName(item.slot)
    const position = (seen.get(name) ?? 0) + 1
    seen.set(name, position)
    const fresh = item.lasting ? 1 : OLDEST + (1 - OLDEST) * (position / (totals.get(name) ?? 1))
    const focused = matches(item.text, terms)
    const base = typeof item.slot === 'string' ? SLOT_WORTH[item.slot] : FOREIGN_WORTH
    return { item, focused, worth: base * item.weight * fresh * (focused ? FOCUS_FACTOR : 1) }
  })
}

/** Words of three or more characters, and runs of scripts that are written without spaces. */
function focusTerms(topic: string | undefined): string[] {
  const words = topic?.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []
  return words.filter((word) => (word.length > 2 || /[^\x20-\x7e]/.test(word)) && !/^(?:the|and|for|with|about|from)$/.test(word)).slice(0, 20)
}

function matches(text: string, terms: readonly string[]): boolean {
  if (terms.length === 0) return false
  const lower = text.toLowerCase()
  return terms.some((term) => lower.includes(term))
}
