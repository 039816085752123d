import type { CacheEntry } from '../cache/cache-state.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

export interface Situation {
  readonly layout: RequestLayout
  readonly followUp: boolean
  readonly held: readonly CacheEntry[]
  readonly pricing: CachePricing
}

export interface Placement {
  readonly block: number
  readonly reason: string
}

/**
 * Marks held entries exactly where they end, so that no lookback is needed:
 * 1. `tail`: the last block that can carry a breakpoint.
 * 2. `static-head`: the end of the part that stays the same for the whole session.
 * 3. `sticky`: the longest held prefixes; the second one helps if the previous request was never sent.
 *
 * Prefixes below the minimum take no slot. If no reader is expected, only held prefixes are marked.
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
  // The order is by importance: with fewer slots, the later ones get none.
  if (tail !== deepest?.block) choose(tail, tail === head ? 'static-head' : 'tail')
  if (chosen.size === 0 && deepest !== undefined && deepest.block !== head) choose(deepest.block, 'sticky')
  choose(head, 'static-head')
  for (const { block } of held) choose(block, 'sticky')
  return [...chosen].map(([block, reason]) => ({ block, reason })).sort((a, b) => a.block - b.block)
}

/**
 * The end of the part that stays the same for the whole session: the first of two system blocks (the second is an
 * engine's note), else the last system block, else the last tool. −1 if none can carry a breakpoint.
 */
function headEnd({ blocks }: RequestLayout): number {
  const from = blocks.findIndex(({ ref }) => ref.at === 'system')
  const hasNote = blocks.filter(({ ref }) => ref.at === 'system').length === 2
  if (hasNote && blocks[from]?.carries) return from
  const system = blocks.findLastIndex(({ ref, carries }) => ref.at === 'system' && carries)
  return system === -1 ? blocks.findLastIndex(({ ref, carries }) => ref.at === 'tool' && carries) : system
}

/**
 * Writing pays if a token that is written and read once (w + r) costs less than one that is sent twice (2). Uses the
 * short lifetime.
 */
function isWorthWriting({ short, read }: CachePricing): boolean {
  return short.write + read < 2
}
