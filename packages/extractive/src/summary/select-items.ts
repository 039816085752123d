import type { TokenCounter } from '@palimpsest/core'
import { SLOTS, type Slot } from '../section-headings.ts'
import { countedText } from '../text/counted-text.ts'
import { shorten } from '../text/shorten.ts'
import type { Item } from './item.ts'
import type { RankedItems } from './rank-items.ts'
import { slotHeading, slotName } from './render.ts'
import { askWorth } from './turn-items.ts'

/** Of the room, what each slot is sure of when it has items; what a slot does not use goes to the worthiest items. */
const SHARES: Readonly<Record<Slot, number>> = {
  Goal: 0.12,
  'In Progress': 0.04,
  Blocked: 0.04,
  'Constraints & Preferences': 0.07,
  'Key Decisions': 0.07,
  'Next Steps': 0.04,
  'Critical Context': 0.22,
  'Relevant Files': 0.1,
  'Errors & Fixes': 0.06,
  Done: 0.12,
}
/** All foreign sections together. */
const FOREIGN_SHARE = 0.15
/** Of the room, what may go to items about the focus topic before all others. */
const FOCUS_SHARE = 0.5
/** A slot's first item is cut to no less than this many tokens, so that small budgets show every slot something. */
const MIN_ITEM_TOKENS = 12
/** An item cut to less than this says nothing but who spoke. */
const MIN_ITEM_CHARS = 28
/** Of the room, what a slot's first item may take at least when a user named something in it. */
const TELLING_SHARE = 0.4
/** Items that did not fit, one after the other, after which no further are tried. */
const MAX_MISSES = 40

/** Items chosen for a budget. */
export interface Selection {
  /** In print order. */
  readonly items: readonly Item[]
  /** Tokens of the items and their headings, as the sum of their parts. */
  readonly cost: number
}

/**
 * Selects items for a number of tokens: the best item of every slot first, cut short if need be, then what is
 * about the focus topic, then every slot up to its share, then the worthiest of all. The last step leaves
 * `reserve` tokens.
 */
export function selectItems(
  ranked: RankedItems,
  room: number,
  reserve: number,
  tokens: TokenCounter,
): Selection {
  const taken = new Map<Item, Item>()
  const open = new Set<string>()
  const asks: string[] = []
  let left = room

  const costOf = (item: Item): number =>
    countedText(tokens, `\n- ${item.text}`) +
    (open.has(slotName(item.slot)) ? 0 : countedText(tokens, slotHeading(item.slot)))
  const take = (original: Item, item: Item): number => {
    const cost = costOf(item)
    taken.set(original, item)
    open.add(slotName(item.slot))
    if (item.slot === 'Goal') asks.push(item.text)
    left -= cost
    return cost
  }
  const fill = (candidates: readonly Item[], limit: number, keep: number): void => {
    let rest = limit
    let misses = 0
    for (const item of candidates) {
      if (misses > MAX_MISSES || left - keep < MIN_ITEM_TOKENS / 2 || rest < MIN_ITEM_TOKENS / 2) return
      if (taken.has(item) || isInAsk(item, asks)) continue
      if (costOf(item) > Math.min(rest, left - keep)) misses++
      else rest -= take(item, item)
    }
  }

  const spent = new Map<string, number>()
  for (const name of serviceOrder(ranked.bySlot)) {
    const best = ranked.bySlot.get(name)?.find((item) => !isInAsk(item, asks))
    if (best === undefined || left < MIN_ITEM_TOKENS / 2) continue
    const share = Math.max(shareOf(best, ranked.bySlot.size), isTelling(best) ? TELLING_SHARE : 0)
    const allowed = Math.min(left, Math.max(MIN_ITEM_TOKENS, share * room))
    const fitting = cutToFit(best, allowed, costOf)
    if (fitting !== undefined) spent.set(name, take(best, fitting))
  }
  fill(ranked.focused, FOCUS_SHARE * room, 0)
  for (const [name, items] of ranked.bySlot) {
    const [first] = items
    if (first !== undefined)
      fill(items, shareOf(first, ranked.bySlot.size) * room - (spent.get(name) ?? 0), 0)
  }
  fill(ranked.all, left, reserve)
  return { items: ranked.inOrder.flatMap((item) => taken.get(item) ?? []), cost: room - left }
}

function shareOf({ slot }: Item, slots: number): number {
  return typeof slot === 'string' ? SHARES[slot] : FOREIGN_SHARE / Math.max(2, slots - SLOTS.length)
}

/** Slots in the order in which small budgets serve them: that of the shares above, foreign sections last. */
function serviceOrder(bySlot: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...Object.keys(SHARES), ...bySlot.keys()])]
}

/** Whether a user named something: half of such a sentence says nothing. */
function isTelling({ text }: Item): boolean {
  return /^(?:t\d+ )?user: /.test(text) && askWorth(text) === 1
}

/** Whether a user's sentence with a value stands in an ask that is quoted anyway. */
function isInAsk({ slot, text }: Item, asks: readonly string[]): boolean {
  if (slot !== 'Critical Context') return false
  const said = /^t\d+ user: "(.{12,})"$/.exec(text)?.[1]
  return said !== undefined && asks.some((ask) => ask.includes(said))
}

/** The item, or the beginning of it that costs at most `allowed` tokens; undefined when nothing useful fits. */
function cutToFit(item: Item, allowed: number, costOf: (item: Item) => number): Item | undefined {
  let candidate = item
  for (let trial = 0; trial < 5; trial++) {
    const cost = costOf(candidate)
    if (cost <= allowed) return candidate
    const chars = Math.floor(candidate.text.length * Math.min(0.9, (allowed / cost) * 0.95))
    if (chars < MIN_ITEM_CHARS) return undefined
    candidate = { ...item, text: shorten(candidate.text, chars) }
  }
  return undefined
}
