import type { CacheEntry, CacheState } from '../cache/cache-state.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** What a strategy knows of a request. */
export interface Situation {
  readonly layout: RequestLayout
  readonly followUp: boolean
  readonly state: CacheState
  /** The longest entry that the request begins with, can read if it starts now, and can mark again. */
  readonly deepest: CacheEntry | undefined
  readonly pricing: CachePricing
}

/** A breakpoint: the block that it ends, and what it is for. */
export interface Placement {
  readonly block: number
  readonly reason: string
}

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
export function placeSticky(situation: Situation): Placement[] {
  const { layout, deepest, pricing } = situation
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
  return [...chosen].map(([block, reason]) => ({ block, reason })).sort((a, b) => a.block - b.block)
}

/** The blocks before the messages. */
interface PromptHead {
  /** The last tool that can carry a breakpoint. */
  readonly tools: number | undefined
  /**
   * The end of what stays the same for the whole session: the first of two blocks of the system prompt, the second
   * being what an engine appended; else the last block of the system prompt; without one, the last tool.
   */
  readonly end: number | undefined
  /** Index of the first block of a message; the number of blocks when there is none. */
  readonly messages: number
}

function findHead({ blocks }: RequestLayout): PromptHead {
  const first = blocks.findIndex(({ ref }) => ref.at === 'message')
  const messages = first === -1 ? blocks.length : first
  const firstOfSystem = blocks.findIndex(({ ref }) => ref.at === 'system')
  const systemStart = firstOfSystem === -1 ? messages : firstOfSystem
  const carryingIn = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => from + index).filter((index) => blocks[index]?.carries)
  const tools = carryingIn(0, systemStart).at(-1)
  const system = carryingIn(systemStart, messages)
  const hasNote = messages - systemStart === 2
  return { tools, end: (hasNote ? system[0] : system.at(-1)) ?? tools, messages }
}

/** The last block that can carry a breakpoint; looks back no further than to `from`. */
export function findTail({ blocks }: RequestLayout, from = 0): number | undefined {
  const tail = blocks.findLastIndex(({ carries }) => carries)
  return tail < from ? undefined : tail
}

/** The last block that may be marked. */
function lastToMark(situation: Situation, head: number | undefined): number {
  const held = situation.deepest?.block ?? -1
  if (!isWorthWriting(situation)) return held
  return isLikelyRead(situation) ? situation.layout.blocks.length : Math.max(held, head ?? -1)
}

/**
 * Whether it pays to write at all: written and read once, a token costs w + r; sent twice without a breakpoint, 2.
 * Measured by the short lifetime.
 */
function isWorthWriting({ followUp, pricing }: Situation): boolean {
  return followUp && pricing.short.write + pricing.read < 2
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

/** A summary stands behind no more messages without one than this: an engine's protected beginning is 3. */
const MESSAGES_BEFORE_SUMMARY = 8

/**
 * The end of the summaries at the beginning of the messages: what the next compaction and a rewind leave as it is. Where
 * the last block of a message with several is a summary's, it ends its frame, and moves on when a block is appended: the
 * one before it is the end. Undefined when there is none. Looks at the first messages only.
 */
function findBoundary({ blocks }: RequestLayout, messages: number): number | undefined {
  let boundary: number | undefined
  let lastSummary = blocks[messages]?.unit ?? 0
  for (const [index, { unit, carries, isSummary }] of blocks.entries()) {
    if (index < messages) continue
    if (unit - lastSummary > MESSAGES_BEFORE_SUMMARY) break
    if (!carries || isSummary !== true) continue
    boundary = index
    lastSummary = unit
  }
  if (boundary === undefined) return undefined
  const [before, at, behind] = [blocks[boundary - 1], blocks[boundary], blocks[boundary + 1]]
  const isFrameEnd =
    before?.isSummary === true && before.carries && before.unit === at?.unit && behind?.unit !== at.unit
  return isFrameEnd ? boundary - 1 : boundary
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
