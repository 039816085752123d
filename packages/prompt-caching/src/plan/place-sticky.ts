import type { CacheEntry } from '../cache/cache-state.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** What a strategy knows of a request. */
export interface Situation {
  readonly layout: RequestLayout
  readonly followUp: boolean
  /** What the request begins with, can read if it starts now, and can mark again: the longest first. */
  readonly held: readonly CacheEntry[]
  readonly pricing: CachePricing
}

/** A breakpoint: the block that it ends, and what it is for. */
export interface Placement {
  readonly block: number
  readonly reason: string
}

/**
 * Marks again what the provider holds, exactly where it ends, so that nothing depends on how far a marker looks back:
 * 1. `tail`: the last block that can carry a breakpoint.
 * 2. `static-head`: the end of what stays the same for the whole session.
 * 3. `sticky`: the longest held beginnings of this request, the longest first: the second one is there when the
 *    request before was never sent.
 *
 * What is shorter than the minimum takes no slot. Where no reader is expected, only held beginnings are marked.
 */
export function placeSticky({ layout, followUp, held, pricing }: Situation): Placement[] {
  const { blocks, ends } = layout
  const [deepest] = held
  const tail = blocks.findLastIndex(({ carries }) => carries)
  const head = headEnd(layout)
  const last = followUp && isWorthWriting(pricing) ? blocks.length : (deepest?.block ?? -1)

  const chosen = new Map<number, string>()
  const choose = (block: number, reason: string): void => {
    if (block < 0 || block > last || chosen.size >= pricing.maxBreakpoints) return
    if (!chosen.has(block) && (ends[block] ?? 0) >= pricing.minimumTokens) chosen.set(block, reason)
  }
  // By importance: where there are fewer slots, the later ones get none.
  if (tail !== deepest?.block) choose(tail, tail === head ? 'static-head' : 'tail')
  // Without a tail, the held beginning is all that is read: it comes before a shorter one.
  if (chosen.size === 0 && deepest !== undefined && deepest.block !== head) choose(deepest.block, 'sticky')
  choose(head, 'static-head')
  for (const { block } of held) choose(block, 'sticky')
  return [...chosen].map(([block, reason]) => ({ block, reason })).sort((a, b) => a.block - b.block)
}

/**
 * The end of what stays the same for the whole session: the first of two blocks of the system prompt, the second being
 * what an engine appended; else its last one; without any, the last tool. −1 when none can carry a breakpoint.
 */
function headEnd({ blocks }: RequestLayout): number {
  const from = blocks.findIndex(({ ref }) => ref.at === 'system')
  const hasNote = blocks.filter(({ ref }) => ref.at === 'system').length === 2
  if (hasNote && blocks[from]?.carries) return from
  const system = blocks.findLastIndex(({ ref, carries }) => ref.at === 'system' && carries)
  return system === -1 ? blocks.findLastIndex(({ ref, carries }) => ref.at === 'tool' && carries) : system
}

/**
 * Whether it pays to write at all: written and read once, a token costs w + r; sent twice without a breakpoint, 2.
 * Measured by the short lifetime.
 */
function isWorthWriting({ short, read }: CachePricing): boolean {
  return short.write + read < 2
}
