import type { CacheTtl } from '@palimpsest/core'

/** A marker of Anthropic's. Five minutes are what one without a lifetime means. */
export type CacheControl = { readonly type: 'ephemeral'; readonly ttl?: '1h' }

/** A plan for another provider keeps short lifetimes short and long ones long. */
export function isLongTtl(ttl: CacheTtl): boolean {
  return ttl === '1h' || ttl === '12h'
}

export function cacheControl(ttl: CacheTtl): CacheControl {
  return isLongTtl(ttl) ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
