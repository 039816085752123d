import type { CacheAnchor, CacheTtl } from '@palimpsest/core'

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

/** A marker of Anthropic's. Five minutes are what one without a lifetime means. */
type CacheControl = { readonly type: 'ephemeral'; readonly ttl?: '1h' }

/** A plan for another provider keeps short lifetimes short and long ones long. */
export function isLongTtl(ttl: CacheTtl): boolean {
  return ttl === '1h' || ttl === '12h'
}

export function cacheControl(ttl: CacheTtl): CacheControl {
  return isLongTtl(ttl) ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
