import type { CacheBreakpoint, CacheTtl, TokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../layout/request-layout.ts'

/** The parts of a request in caching order. */
export interface RequestParts {
  readonly tools: readonly object[]
  readonly system: object | null
  readonly messages: readonly object[]
  /** Added to a number in `messages`, gives the index of a `CacheRef`. */
  readonly firstMessage: number
}

/** A reader for one shape of requests. It ignores the caller's own breakpoints. */
export interface RequestReader<Request> {
  parts(request: Request): RequestParts
  readTool(tool: object, tokens: TokenCounter): ReadBlock
  /** The blocks of the system prompt: its parts, with the first `staticSystem` characters as a block of their own. */
  readSystem(system: object, tokens: TokenCounter, staticSystem: number | undefined): readonly ReadBlock[]
  readMessage(message: object, tokens: TokenCounter): readonly ReadBlock[]
}

export type BlockTtls = ReadonlyMap<number, CacheTtl>

export function breakpointsByPlace(breakpoints: readonly CacheBreakpoint[]) {
  const tools = new Map<number, CacheTtl>()
  const system = new Map<number, CacheTtl>()
  const messages = new Map<number, Map<number, CacheTtl>>()
  for (const { ref, ttl } of breakpoints) {
    if (ref.at === 'tool') tools.set(ref.index, ttl)
    else if (ref.at === 'system') system.set(ref.block, ttl)
    else {
      const blocks = messages.get(ref.index) ?? new Map<number, CacheTtl>()
      messages.set(ref.index, blocks.set(ref.block, ttl))
    }
  }
  return { tools, system, messages }
}

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

/** A marker without `ttl` lasts five minutes; writing the default would change the bytes. */
export function cacheControl(ttl: CacheTtl): { readonly type: 'ephemeral'; readonly ttl?: '1h' } {
  return ttl === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
