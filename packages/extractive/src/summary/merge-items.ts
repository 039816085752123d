import { isDecision } from '../cues/decision-cues.ts'
import { SLOTS, type Slot } from '../section-headings.ts'
import { type Item, itemKey } from './item.ts'
import { slotName } from './render.ts'
import { isLastingRule } from './turn-items.ts'

/** Slots whose earlier items the collectors have merged already. */
const MERGED: ReadonlySet<Item['slot']> = new Set<Slot>(['Blocked', 'Relevant Files', 'Critical Context'])
/** Slots that keep the order in which they come; the others are ordered by turn. */
const UNSORTED: ReadonlySet<Item['slot']> = new Set<Slot>(['Relevant Files', 'Critical Context'])
/** What a step that was once said to come next is worth after more has happened. */
const STALE_WEIGHT = 0.3

/**
 * Puts the items of an earlier summary before new ones. Of two that say the same, the newer stays. What was
 * in progress gives way as soon as anything happened since.
 */
export function mergeItems(previous: readonly Item[], advanced: boolean, fresh: readonly Item[]): Item[] {
  const carried = previous.filter(({ slot }) => !MERGED.has(slot) && !(advanced && slot === 'In Progress')).map(reweighed)
  const latest = new Map<string, Item>()
  for (const item of [...carried, ...fresh]) {
    const key = `${slotName(item.slot)}\n${itemKey(item.text) || item.text}`
    const known = latest.get(key)
    latest.delete(key)
    latest.set(key, known === undefined || known.weight <= item.weight ? item : { ...item, weight: known.weight })
  }
  const items = [...latest.values()]
  const foreign = [...new Set(items.map(({ slot }) => slotName(slot)).filter((name) => name.startsWith('## ')))]
  return [...SLOTS, ...foreign].flatMap((name) => inOrder(items.filter(({ slot }) => slotName(slot) === name)))

  function reweighed(item: Item): Item {
    if (item.slot === 'Next Steps') return advanced ? { ...item, weight: STALE_WEIGHT } : item
    if (item.slot === 'Constraints & Preferences')
      return isLastingRule(item.text) || item.turn < 0 ? { ...item, weight: 1, lasting: true } : { ...item, weight: 0.55 }
    if (item.slot === 'Key Decisions' && (item.turn < 0 || / user\b/.test(item.text.slice(0, 16)) || isDecision(item.text, 'user')))
      return { ...item, weight: 0.8, lasting: true }
    return item.slot === 'Goal' && item.turn <= 1 ? { ...item, weight: 1, lasting: true } : item
  }
}

function inOrder(items: Item[]): Item[] {
  const [first] = items
  if (first === undefined || UNSORTED.has(first.slot)) return items
  return items.sort((a, b) => a.turn - b.turn)
}
