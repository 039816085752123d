import { lifetimeOf } from '../cache/entry-life.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'
import type { Lifetimes } from './choose-lifetimes.ts'
import { orderLifetimes } from './order-lifetimes.ts'
import { findHead, findTail } from './prompt-ends.ts'
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
export function placeSticky(situation: Situation, lifetimes: Lifetimes): readonly Placement[] {
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
  // Without a tail, the held beginning is all that is read: it comes before a shorter one.
  if (chosen.size === 0 && deepest?.block !== head.end) choose(deepest?.block, 'sticky')
  choose(head.end, 'static-head')
  choose(deepest?.block, 'sticky')
  if (boundary === undefined) choose(midpoint, 'midpoint')
  else choose(boundary, 'boundary')
  choose(head.tools, 'static-head')

  const placements = [...chosen].map(([block, reason]): Placement => {
    const own = held.find((entry) => entry.block === block)
    const lifetime = block < head.messages ? lifetimes.head : lifetimes.messages
    const isLonger = own !== undefined && lifetimeOf(own.ttl, pricing).seconds > lifetime.seconds
    return { block, ttl: isLonger ? own.ttl : lifetime.ttl, reason }
  })
  return orderLifetimes(placements, pricing)
}

/** The last block that may be marked. */
function lastToMark(situation: Situation, head: number | undefined): number {
  const held = situation.deepest?.block ?? -1
  if (!isWorthWriting(situation)) return held
  return isLikelyRead(situation) ? situation.layout.blocks.length : Math.max(held, head ?? -1)
}

/** A summary stands behind no more messages without one than this: an engine's protected beginning is 3. */
const MESSAGES_BEFORE_SUMMARY = 8
/** The search ends this many blocks behind the last summary: eight messages with a dozen parallel calls each. */
const BLOCKS_BEFORE_SUMMARY = 128

/**
 * The end of the summaries at the beginning of the messages: what the next compaction and a rewind leave as it is. Where
 * the last block of a message with several is a summary's, it ends its frame, and moves on when a block is appended: the
 * one before it is the end. Undefined when there is none. Looks at the first messages only.
 */
function findBoundary({ blocks }: RequestLayout, messages: number): number | undefined {
  let boundary: number | undefined
  let lastSummary = blocks[messages]?.unit ?? 0
  let end = messages + BLOCKS_BEFORE_SUMMARY
  for (let index = messages; index < Math.min(end, blocks.length); index++) {
    const block = blocks[index]
    if (block === undefined || block.unit - lastSummary > MESSAGES_BEFORE_SUMMARY) break
    if (!block.carries || !(block.isSummary === true || block.kind === 'compaction')) continue
    boundary = index
    lastSummary = block.unit
    end = index + BLOCKS_BEFORE_SUMMARY
  }
  const [before, at, behind] = [-1, 0, 1].map((step) => blocks[(boundary ?? -2) + step])
  const isFrameEnd =
    before?.isSummary === true && before.carries && before.unit === at?.unit && behind?.unit !== at.unit
  return isFrameEnd && boundary !== undefined ? boundary - 1 : boundary
}

/** More new positions than this get a breakpoint in their middle: a marker looks at 20, and a request may add a few. */
const MIDPOINT_POSITIONS = 15

/**
 * The end of a message near the middle of what is new, for rewinds that go back less than all of it. Undefined when
 * few positions are new, or no message ends in between with a block that can carry a breakpoint.
 * @param from last block that is not new
 * @param to last block that can carry a breakpoint
 */
function findMidpoint(
  { blocks, runs }: RequestLayout,
  from: number,
  to: number,
  { matching }: Pick<CachePricing, 'matching'>,
): number | undefined {
  const positions = matching === 'collapsed' ? (runs[to] ?? 0) - (runs[from] ?? 0) : to - from
  if (positions <= MIDPOINT_POSITIONS) return undefined
  const isEnd = (index: number) =>
    index > from && index < to && blocks[index]?.carries && blocks[index]?.unit !== blocks[index + 1]?.unit
  const middle = Math.floor((from + to) / 2)
  for (let distance = 0; distance <= to - middle; distance++) {
    if (isEnd(middle + distance)) return middle + distance
    if (isEnd(middle - distance)) return middle - distance
  }
  return undefined
}

/**
 * The number of reads after which a write pays. Written and read n times, a token costs w + n·r; sent n + 1
 * times without a breakpoint, 1 + n. So n > (w − 1) / (1 − r): .28 for five minutes and 1.11 for an hour at Anthropic
 * with r = .1. Infinity where reading is no cheaper than sending.
 */
export function readsToPay(
  { write }: Pick<CacheLifetime, 'write'>,
  { read }: Pick<CachePricing, 'read'>,
): number {
  if (read >= 1) return Number.POSITIVE_INFINITY
  return Math.max(0, write - 1) / (1 - read)
}

/**
 * Whether it pays to write at all. A session is expected to go on for as long as it has: with a follow-up there is one
 * read at least. Measured by the short lifetime: whether to write for longer is another question.
 */
function isWorthWriting({ followUp, state, pricing }: Situation): boolean {
  return followUp && state.pauses.length + 1 > readsToPay(pricing.short, pricing)
}

/** Requests in a row that found nothing of what was written, before writing stops. */
const UNREAD_LIMIT = 3
/** Every so many requests it is tried again. */
const TRY_AGAIN = 8

/**
 * Whether what this request writes will be read, as far as the last requests tell. An engine that makes its block at
 * the top anew for each request changes everything behind it: nothing there is worth a write.
 */
function isLikelyRead({ state: { unread } }: Situation): boolean {
  return unread < UNREAD_LIMIT || unread % TRY_AGAIN === 0
}
