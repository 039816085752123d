import { lifetimeOf } from '../cache/entry-life.ts'
import type { CacheLifetime } from '../pricing/cache-pricing.ts'
import { findBoundary } from './find-boundary.ts'
import { findHead } from './find-head.ts'
import { findMidpoint } from './find-midpoint.ts'
import { findTail } from './find-tail.ts'
import { orderLifetimes } from './order-lifetimes.ts'
import { isLikelyRead, isWorthWriting } from './read-criterion.ts'
import type { Placement, Situation } from './situation.ts'

/**
 * Marks again what the provider holds, exactly where it ends, so that nothing depends on how far a marker looks back:
 * 1. `static-head`: the end of what stays the same for the whole session.
 * 2. `sticky`: the longest held beginning of this request.
 * 3. `boundary`: the end of the summaries, while they stand; without any, a `midpoint` of what is new.
 * 4. `tail`: the last block that can carry a breakpoint.
 * A slot that is left goes to the last tool, as `static-head` too: when the system prompt changes, tools are kept.
 *
 * Over budget the middle goes first. What is shorter than the minimum takes no slot. Where no reader is expected,
 * nothing is written: only held beginnings are marked. Where the last requests found nothing of what was written, only
 * the head is.
 */
export function placeSticky(situation: Situation, lifetime: CacheLifetime): readonly Placement[] {
  const { layout, held, deepest, pricing } = situation
  const head = findHead(layout)
  const tail = findTail(layout, deepest?.block)
  const boundary = findBoundary(layout, head.messages)
  const oldEnd = Math.max(deepest?.block ?? -1, head.messages - 1)
  const midpoint = tail === undefined ? undefined : findMidpoint(layout, oldEnd, tail, pricing)

  const last = lastToMark(situation, head.end)
  const chosen = new Map<number, string>()
  const choose = (block: number | undefined, reason: string): void => {
    if (block === undefined || block > last || chosen.has(block)) return
    if (chosen.size >= pricing.maxBreakpoints || (layout.ends[block] ?? 0) < pricing.minimumTokens) return
    chosen.set(block, reason)
  }
  // By importance: where there are fewer slots, the later ones get none.
  const tailReason = tail === deepest?.block ? 'sticky' : 'tail'
  choose(tail, tail === head.end ? 'static-head' : tailReason)
  choose(head.end, 'static-head')
  choose(deepest?.block, 'sticky')
  if (boundary === undefined) choose(midpoint, 'midpoint')
  else choose(boundary, 'boundary')
  choose(head.tools, 'static-head')

  const placements = [...chosen].map(([block, reason]): Placement => {
    const own = held.find((entry) => entry.block === block)
    const isLonger = own !== undefined && lifetimeOf(own.ttl, pricing).seconds > lifetime.seconds
    return { block, ttl: isLonger ? own.ttl : lifetime.ttl, reason }
  })
  return orderLifetimes(placements, pricing)
}

/** Behind this block nothing is marked. */
function lastToMark(situation: Situation, head: number | undefined): number {
  const held = situation.deepest?.block ?? -1
  if (!isWorthWriting(situation)) return held
  return isLikelyRead(situation) ? situation.layout.blocks.length : Math.max(held, head ?? -1)
}
