import type { CacheAnchor, CacheRef, CacheTtl, TokenCounter } from '@palimpsest/core'
import type { RequestReader } from '../layout/create-layouter.ts'
import { compareRefs } from '../layout/marker-blocks.ts'
import type { ReadBlock } from '../layout/request-layout.ts'
import { isOfSystemAnd3 } from '../plan/place-system-and-3.ts'

/** Anthropic refuses a fifth breakpoint, Bedrock too; OpenAI writes at most four. */
export const MOST_BREAKPOINTS = 4

/**
 * Anchors as every provider takes them, in the order of the prompt: only on blocks that carry, and those of
 * `system_and_3` where that sets them, one a block (of several the longest lifetime), at most four, of which the
 * middle goes first. An anchor before one that lives for an hour lives for an hour too: no provider refuses that
 * order.
 *
 * @param request Without markers.
 */
export function fitAnchors<Request>(
  wire: RequestReader<Request>,
  request: Request,
  anchors: readonly CacheAnchor[],
  staticSystem?: number,
): CacheAnchor[] {
  if (anchors.length === 0) return []
  const mayStand = standingTest(wire, request, staticSystem)
  const fitted: CacheAnchor[] = []
  for (const anchor of anchors.filter(mayStand).sort((a, b) => compareRefs(a.ref, b.ref))) {
    const before = fitted.at(-1)
    if (before === undefined || compareRefs(before.ref, anchor.ref) !== 0) fitted.push(anchor)
    else if (isLongTtl(anchor.ttl)) fitted[fitted.length - 1] = anchor
  }
  if (fitted.length > MOST_BREAKPOINTS) fitted.splice(1, fitted.length - MOST_BREAKPOINTS)
  const lastLong = fitted.findLastIndex(({ ttl }) => isLongTtl(ttl))
  return fitted.map((anchor, index) =>
    index < lastLong && !isLongTtl(anchor.ttl) ? { ...anchor, ttl: '1h' } : anchor,
  )
}

/** Tells which anchors may stand where they do. Each message that is asked for is read once. */
function standingTest<Request>(
  wire: RequestReader<Request>,
  request: Request,
  staticSystem: number | undefined,
) {
  const { tools, system, messages, firstMessage } = wire.parts(request)
  const read = new Map<number, readonly ReadBlock[]>()
  const blocksOf = (ref: Exclude<CacheRef, { readonly at: 'tool' }>): readonly ReadBlock[] => {
    const unit = ref.at === 'system' ? -1 : ref.index
    const known = read.get(unit)
    if (known !== undefined) return known
    const message = ref.at === 'system' ? undefined : messages[ref.index - firstMessage]
    const head =
      ref.at === 'system' && system !== null ? wire.readSystem(system, UNCOUNTED, staticSystem) : []
    const blocks = message === undefined ? head : wire.readMessage(message, UNCOUNTED)
    read.set(unit, blocks)
    return blocks
  }
  return ({ ref, reason }: CacheAnchor): boolean => {
    if (ref.at !== 'tool') {
      const block = blocksOf(ref)[ref.block]
      return block?.carries === true || (block?.systemAnd3 === true && isOfSystemAnd3({ reason }))
    }
    const tool = tools[ref.index]
    return tool !== undefined && wire.readTool(tool, UNCOUNTED).carries
  }
}

/** Whether a block carries does not depend on its size. */
export const UNCOUNTED: TokenCounter = { countText: () => 0, countMessage: () => 0, countTools: () => 0 }

/** Lifetimes by number of the block that carries them. */
export type BlockTtls = ReadonlyMap<number, CacheTtl>

/** Lifetimes by place: of tools and messages by index, of the system prompt by block. */
export interface AnchorPlaces {
  readonly tools: ReadonlyMap<number, CacheTtl>
  readonly system: BlockTtls
  readonly messages: ReadonlyMap<number, BlockTtls>
}

export function anchorsByPlace(anchors: readonly CacheAnchor[]): AnchorPlaces {
  const tools = new Map<number, CacheTtl>()
  const system = new Map<number, CacheTtl>()
  const messages = new Map<number, Map<number, CacheTtl>>()
  for (const { ref, ttl } of anchors) {
    if (ref.at === 'tool') tools.set(ref.index, ttl)
    else if (ref.at === 'system') system.set(ref.block, ttl)
    else {
      const blocks = messages.get(ref.index) ?? new Map<number, CacheTtl>()
      messages.set(ref.index, blocks.set(ref.block, ttl))
    }
  }
  return { tools, system, messages }
}

/** The list with a change at each of these places; itself when there are none. */
export function changeAt<Entry, Place>(
  list: readonly Entry[],
  places: ReadonlyMap<number, Place>,
  change: (entry: Entry, place: Place) => Entry,
): readonly Entry[] {
  if (places.size === 0) return list
  return list.map((entry, index) => {
    const place = places.get(index)
    return place === undefined ? entry : change(entry, place)
  })
}

/** A marker of Anthropic's. Five minutes are what one without a lifetime means. */
type CacheControl = { readonly type: 'ephemeral'; readonly ttl?: '1h' }

/** A plan for another provider keeps short lifetimes short and long ones long. */
export function isLongTtl(ttl: CacheTtl): boolean {
  return ttl === '1h' || ttl === '12h'
}

export function cacheControl(ttl: CacheTtl): CacheControl {
  return isLongTtl(ttl) ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
