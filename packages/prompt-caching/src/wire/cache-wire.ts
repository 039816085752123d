import type { CacheAnchor, CacheTtl, TokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../layout/request-layout.ts'

/** The parts of a request, in the order in which they are cached. */
export interface RequestParts {
  readonly tools: readonly object[]
  readonly system: object | null
  readonly messages: readonly object[]
  /** Added to a number in `messages`, it gives the index that a `CacheRef` has. */
  readonly firstMessage: number
}

/** How one shape of requests is read. Breakpoints that a caller left in it are no part of what is read. */
export interface RequestReader<Request> {
  parts(request: Request): RequestParts
  readTool(tool: object, tokens: TokenCounter): ReadBlock
  /** Blocks of the system prompt: its parts; `staticSystem` characters are a block of their own. */
  readSystem(system: object, tokens: TokenCounter, staticSystem: number | undefined): readonly ReadBlock[]
  readMessage(message: object, tokens: TokenCounter): readonly ReadBlock[]
}

export interface CacheWire<Request> extends RequestReader<Request> {
  /**
   * A copy of the request with these breakpoints and no others; unmarked parts are shared. Anchors on what cannot carry
   * one are left out.
   */
  apply<Own extends Request>(request: Own, anchors: readonly CacheAnchor[], staticSystem?: number): Own
}

/** Lifetimes by number of the block that carries them. */
export type BlockTtls = ReadonlyMap<number, CacheTtl>

/** Lifetimes by place: of tools and messages by index, of the system prompt by block. */
export function anchorsByPlace(anchors: readonly CacheAnchor[]) {
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

/** A marker of Anthropic's. Five minutes are what one without a lifetime means: written out, they would be other bytes. */
export function cacheControl(ttl: CacheTtl): { readonly type: 'ephemeral'; readonly ttl?: '1h' } {
  return ttl === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
