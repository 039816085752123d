import type { TokenCounter } from '@palimpsest/core'
import type { Slot } from '../section-headings.ts'
import { shorten } from '../text/shorten.ts'
import type { Item } from './item.ts'
import { slotHeading, slotName } from './render.ts'
import { countedText } from './token-memo.ts'
import type { Ranked } from './worth.ts'

/** Of the room, what each slot is sure of when it has items; what a slot does not use goes to the worthiest items. */
const SHARES: Readonly<Record<Slot, number>> = {
  Goal: 0.12,
  'In Progress': 0.04,
  Blocked: 0.04,
  'Constraints & Preferences': 0.07,
  'Key Decisions': 0.07,
  'Next Steps': 0.04,
  'Critical Context': 0.1,
  'Relevant Files': 0.1,
  'Errors & Fixes': 0.06,
  Done: 0.14,
}
const FOREIGN_SHARE = 0.06
/** Of the room, what may go to items about the focus topic before all others (the seed's focus share: 60 to 70 %). */
const FOCUS_SHARE = 0.5
/** A slot's first item is cut to no less than this many tokens, so that small budgets show every slot something. */
const MIN_ITEM_TOKENS = 12
/** Items that did not fit, one after the other, after which no further are tried. */
const MAX_MISSES = 40

export interface Selection {
  /** In print order. */
  readonly items: readonly Item[]
}

/**
 * Selects items for a number of tokens: the best item of every slot first, cut short if need be, then every
 * slot up to its share, then the worthiest of all. `reserve` tokens are left by the last step.
 */
export function selectItems(ranked: readonly Ranked[], room: number, reserve: number, tokens: TokenCounter): Selection {
  const taken = new Map<Item, Item>()
  const open = new Set<string>()
  let left = room

  const costOf = (item: Item): number =>
    countedText(tokens, `\n- ${item.text}`) + (open.has(slotName(item.slot)) ? 0 : countedText(tokens, slotHeading(item.slot)))
  const take = (original: Item, item: Item, cost: number): void => {
    taken.set(original, item)
    open.add(slotName(item.slot))
    left -= cost
  }
  const fill = (candidates: readonly Ranked[], limit: number, keep: number): void => {
    let rest = limit
    let misses = 0
    for (const { item } of candidates) {
      if (misses > MAX_MISSES || left - keep < MIN_ITEM_TOKENS / 2 || rest < MIN_ITEM_TOKENS / 2) return
      if (taken.has(item)) continue
      const cost = costOf(item)
      if (cost > rest || cost > left - keep) misses++
      else {
        take(item, item, cost)
        rest -= cost
      }
    }
  }

  const slots = bySlot(ranked)
  const focused = byWorth(ranked.filter((entry) => entry.focused))
  const spent = new Map<string, number>()
  for (const [name, entries] of slots) {
    const [best] = entries
    if (best === undefined || left < MIN_ITEM_TOKENS / 2) break
    const before = left
    const allowed = Math.min(left, Math.max(MIN_ITEM_TOKENS, shareOf(best.item.slot) * room))
    const fitting = cutToFit(best.item, allowed, costOf)
    if (fitting !== undefined) take(best.item, fitting, costOf(fitting))
    spent.set(name, before - left)
  }
  if (focused.length > 0) fill(focused, FOCUS_SHARE * room, 0)
  for (const [name, entries] of slots) {
    const [first] = entries
    if (first !== undefined) fill(entries, shareOf(first.item.slot) * room - (spent.get(name) ?? 0), 0)
  }
  fill(byWorth(ranked), left, reserve)
  return { items: ranked.flatMap(({ item }) => taken.get(item) ?? []) }
}

function shareOf(slot: Item['slot']): number {
  return typeof slot === 'string' ? SHARES[slot] : FOREIGN_SHARE
}

/** The entries of each slot by worth; slots in the order in which small budgets serve them. */
function bySlot(ranked: readonly Ranked[]): Map<string, Ranked[]> {
  const slots = new Map<string, Ranked[]>(Object.keys(SHARES).map((slot) => [slot, []]))
  for (const entry of ranked) {
    const name = slotName(entry.item.slot)
    const list = slots.get(name)
    if (list === undefined) slots.set(name, [entry])
    else list.push(entry)
  }
  for (const [name, list] of slots) {
    if (list.length === 0) slots.delete(name)
    else slots.set(name, byWorth(list))
  }
  return slots
}

function byWorth(ranked: readonly Ranked[]): Ranked[] {
  return [...ranked].sort((a, b) => b.worth - a.worth)
}

/** The item, or the beginning of it that costs at most `allowed` tokens; undefined when nothing useful fits. */
function cutToFit(item: Item, allowed: number, costOf: (item: Item) => number): Item | undefined {
  let candidate = item
  for (let trial = 0; trial < 5; trial++) {
    const cost = costOf(candidate)
    if (cost <= allowed) return candidate
    const chars = Math.floor(candidate.text.length * Math.min(0.9, (allowed / cost) * 0.95))
    if (chars < 12) return undefined
    candidate = { ...item, text: shorten(candidate.text, chars) }
  }
  return undefined
}
