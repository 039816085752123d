import type { CacheBill, CacheTtl } from '@palimpsest/core'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'
import type { CacheEntry, CacheRequest, CacheState, Marker, SeenPrompt } from './cache-state.ts'
import { MAX_ENTRIES, MAX_PROMPTS } from './cache-state.ts'
import { priceBill } from './price-bill.ts'

export interface ServedRequest {
  readonly bill: CacheBill
  readonly state: CacheState
}

/**
 * Simulates a provider: reads the longest cached prefix, writes up to the last marker, and bills. If A is the longest
 * hit, B the last long-lived marker after it, and C the last marker, then A tokens are read, B − A are written for the
 * long lifetime, C − B for the short one, and the rest is plain input. Pure.
 *
 * Where providers' documents are silent, the model assumes the worse case:
 * - an entry lives no longer than the one that it extends;
 * - reading prolongs the hit and the marked entries, and nothing between;
 * - prefixes below the minimum are neither written nor found.
 */
export function serveRequest(request: CacheRequest, state: CacheState, pricing: CachePricing): ServedRequest {
  return pricing.matching === 'prefix'
    ? servePrefix(request, state, pricing)
    : serveMarked(request, state, pricing)
}

function serveMarked(request: CacheRequest, state: CacheState, pricing: CachePricing): ServedRequest {
  const { layout, at } = request
  const markers = request.markers.filter(({ block }) => (layout.ends[block] ?? 0) >= pricing.minimumTokens)
  const held = state.entries.filter((entry) => isHeld(entry, at, pricing))
  const hit = findHit(
    layout,
    markers,
    held.filter(({ writtenAt }) => writtenAt < at),
    pricing,
  )
  const read = hit === undefined ? 0 : (layout.ends[hit.block] ?? 0)
  const endOf = (marker: Marker | undefined) => Math.max(read, layout.ends[marker?.block ?? -1] ?? 0)
  const write1h = endOf(markers.findLast(({ ttl }) => pricing.long?.ttl === ttl)) - read
  const write5m = endOf(markers.at(-1)) - read - write1h
  const uncached = layout.tokens - read - write1h - write5m
  return {
    bill: priceBill({ read, write5m, write1h, uncached }, pricing),
    state: {
      entries: entriesAfter({ layout, markers, at }, held, hit, pricing),
      prompts: [],
    },
  }
}

/**
 * The longest entry that a marker finds. A marker checks `lookback` positions, itself included: with 20, an entry 19
 * positions earlier is found, and one 20 earlier is not.
 */
function findHit(
  layout: RequestLayout,
  markers: readonly Marker[],
  live: readonly CacheEntry[],
  { matching, lookback }: CachePricing,
): CacheEntry | undefined {
  const { runs } = layout
  const finds = (marker: number, entry: number): boolean => {
    if (entry >= marker) return entry === marker
    if (matching === 'collapsed') return (runs[marker] ?? 0) - (runs[entry] ?? 0) < lookback
    return matching === 'per-block' && marker - entry < lookback
  }
  return live
    .filter((entry) => isPrefixOf(entry, layout) && markers.some(({ block }) => finds(block, entry.block)))
    .toSorted((a, b) => b.block - a.block)[0]
}

function entriesAfter(
  { layout, markers, at }: CacheRequest,
  held: readonly CacheEntry[],
  hit: CacheEntry | undefined,
  pricing: CachePricing,
): readonly CacheEntry[] {
  const marked = new Set(markers.map(({ block }) => block))
  const isRead = (entry: CacheEntry) =>
    hit !== undefined &&
    entry.block <= hit.block &&
    entry.writtenAt < at &&
    (entry === hit || (marked.has(entry.block) && isPrefixOf(entry, layout)))
  const read = held.filter(isRead)
  const known = new Set(read.map(({ block }) => block))
  const written = markers
    .filter(({ block }) => !known.has(block))
    .map(({ block, ttl }): CacheEntry => {
      const own = lifetimeOf(ttl, pricing)
      const base = hit && lifetimeOf(hit.ttl, pricing)
      return {
        hash: layout.hashes[block] ?? '',
        block,
        tokens: layout.ends[block] ?? 0,
        ttl: base !== undefined && base.seconds < own.seconds ? base.ttl : own.ttl,
        writtenAt: at,
        usedAt: at,
      }
    })
  const others = held.filter((entry) => !read.includes(entry))
  return [...others, ...read.map((entry) => ({ ...entry, usedAt: at })), ...written].slice(-MAX_ENTRIES)
}

function servePrefix({ layout, at }: CacheRequest, state: CacheState, pricing: CachePricing): ServedRequest {
  const held = state.prompts.filter(({ usedAt }) => isHeld({ ttl: pricing.short.ttl, usedAt }, at, pricing))
  const shared = held
    .filter(({ usedAt }) => usedAt < at)
    .map(({ hashes }) => commonBlocks(hashes, layout.hashes))
  const tokens = layout.ends[Math.max(0, ...shared) - 1] ?? 0
  const read = tokens >= pricing.minimumTokens ? tokens : 0
  const isKept = layout.tokens >= pricing.minimumTokens
  const isPaid = isKept && pricing.short.write !== 1
  const rest = layout.tokens - read
  const prompt: SeenPrompt = { hashes: layout.hashes, usedAt: at }
  const others = held.filter(
    ({ hashes, usedAt }) => usedAt >= at || commonBlocks(hashes, layout.hashes) < hashes.length,
  )
  return {
    bill: priceBill({ read, write5m: isPaid ? rest : 0, write1h: 0, uncached: isPaid ? 0 : rest }, pricing),
    state: {
      entries: [],
      prompts: isKept ? [...others, prompt].slice(-MAX_PROMPTS) : held,
    },
  }
}

export function lifetimeOf(ttl: CacheTtl, { short, long }: CachePricing): CacheLifetime {
  return long?.ttl === ttl ? long : short
}

export function isHeld(
  { ttl, usedAt }: Pick<CacheEntry, 'ttl' | 'usedAt'>,
  at: number,
  pricing: CachePricing,
): boolean {
  return at - usedAt <= lifetimeOf(ttl, pricing).seconds * 1000
}

export function isStillHeld(
  layout: RequestLayout,
  { entries, prompts }: CacheState,
  at: number,
  pricing: CachePricing,
): boolean {
  return (
    prompts.some(
      ({ hashes, usedAt }) =>
        hashes[0] === layout.hashes[0] && isHeld({ ttl: pricing.short.ttl, usedAt }, at, pricing),
    ) || entries.some((entry) => isHeld(entry, at, pricing) && isPrefixOf(entry, layout))
  )
}

export function isPrefixOf({ hash, block }: CacheEntry, { hashes }: RequestLayout): boolean {
  return hashes[block] === hash
}

export function commonBlocks(a: readonly string[], b: readonly string[]): number {
  let low = 0
  let high = Math.min(a.length, b.length)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (a[middle - 1] === b[middle - 1]) low = middle
    else high = middle - 1
  }
  return low
}
