import { isDecision } from '../cues/decision-cues.ts'
import { SLOTS, type Slot } from '../section-headings.ts'
import { type Item, itemKey, quote } from './item.ts'
import { slotName } from './render.ts'
import { askWorth, isLastingRule } from './turn-items.ts'

/** Slots whose earlier items the collectors have merged already. */
const MERGED: ReadonlySet<Item['slot']> = new Set<Slot>(['Blocked', 'Relevant Files', 'Critical Context'])
/** Slots that keep the order in which they come; the others are ordered by turn. */
const UNSORTED: ReadonlySet<Item['slot']> = new Set<Slot>(['Relevant Files', 'Critical Context'])
/** Slots whose items are said again in other turns with the same words. */
const RESTATED: ReadonlySet<Item['slot']> = new Set<Slot>([
  'Goal',
  'Constraints & Preferences',
  'Key Decisions',
  'Next Steps',
])
/** What a step that was once said to come next is worth after more has happened. */
const STALE_WEIGHT = 0.3
/** What an ask of an earlier summary is worth. */
const EARLIER_ASK = 0.7
const EARLIER_PLAN = 'planned before: '

/**
 * Puts the items of an earlier summary before new ones. Of two that say the same, the newer stays. What was
 * in progress gives way as soon as anything happened since.
 */
export function mergeItems(previous: readonly Item[], advanced: boolean, fresh: readonly Item[]): Item[] {
  const carried = previous
    .filter(({ slot }) => !MERGED.has(slot) && !(advanced && slot === 'In Progress'))
    .map(reweighed)
  const latest = new Map<string, Item>()
  for (const item of [...carried, ...fresh]) {
    const key = `${slotName(item.slot)}\n${RESTATED.has(item.slot) ? itemKey(item.text) || item.text : item.text}`
    const known = latest.get(key)
    latest.delete(key)
    latest.set(
      key,
      known === undefined || known.weight <= item.weight ? item : { ...item, weight: known.weight },
    )
  }
  const items = pinFirstAsk([...latest.values()])
  const foreign = [
    ...new Set(items.map(({ slot }) => slotName(slot)).filter((name) => name.startsWith('## '))),
  ]
  return [...SLOTS, ...foreign].flatMap((name) =>
    inOrder(items.filter(({ slot }) => slotName(slot) === name)),
  )

  function reweighed(item: Item): Item {
    if (item.slot === 'Next Steps')
      return advanced ? { ...item, text: asSaidBefore(item), weight: STALE_WEIGHT } : item
    if (item.slot === 'Goal') return { ...item, weight: EARLIER_ASK * askWorth(item.text) }
    if (item.slot === 'Constraints & Preferences')
      return isLastingRule(item.text) || item.turn < 0
        ? { ...item, weight: 1, lasting: true }
        : { ...item, weight: 0.55 }
    if (
      item.slot === 'Key Decisions' &&
      (item.turn < 0 || / user\b/.test(item.text.slice(0, 16)) || isDecision(item.text, 'user'))
    )
      return { ...item, weight: 0.8, lasting: true }
    return item
  }
}

/** A plan of an earlier summary is told as one, so that nobody takes it for an order. */
function asSaidBefore({ text, turn }: Item): string {
  return turn >= 0 || text.startsWith(EARLIER_PLAN) ? text : `${EARLIER_PLAN}${quote(text)}`
}

/** The first ask is what the session is about, however long ago it was made. */
function pinFirstAsk(items: readonly Item[]): Item[] {
  const first = items.find(({ slot }) => slot === 'Goal')
  return items.map((item) => (item === first ? { ...item, weight: 1, lasting: true } : item))
}

function inOrder(items: Item[]): Item[] {
  const [first] = items
  if (first === undefined || UNSORTED.has(first.slot)) return items
  return items.sort((a, b) => a.turn - b.turn)
}
