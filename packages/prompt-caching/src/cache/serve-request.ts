import type { CacheBill } from '@palimpsest/core'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import type { CacheRequest, Marker } from './cache-state.ts'
import {
  type CacheEntry,
  type CacheState,
  MAX_ENTRIES,
  MAX_PAUSES,
  MAX_PROMPTS,
  type SeenPrompt,
  type SessionPauses,
} from './cache-state.ts'
import { isHeld, lifetimeOf } from './entry-life.ts'
import { deepestOf, findHit, isPrefixOf } from './find-hit.ts'
import { priceBill } from './price-bill.ts'

export interface ServedRequest {
  readonly bill: CacheBill
  readonly state: CacheState
  /** The longest beginning that was found, in tokens and as the block that it ends with. */
  readonly hit: { readonly block: number; readonly tokens: number } | null
}

/**
 * Serves a request as a provider does: reads the longest beginning that it finds, writes up to the last marker, and
 * bills. With A the longest hit, B the last marker of a long lifetime behind it and C the last marker: A tokens are
 * read, B − A written for long, C − B for short, and the rest is plain input. Pure.
 *
 * Where the providers' documents are silent, the model promises less rather than more:
 * - an entry lives no longer than the one that it was built upon, so that a long marker behind a short hit does not
 *   prolong everything before it;
 * - reading keeps alive what was hit and what a marker stands on, and nothing between;
 * - what is shorter than the minimum is neither written nor found.
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
  const live = held.filter(({ readableFrom }) => readableFrom < at)
  const hit = findHit(layout, markers, live, pricing)
  const read = hit === undefined ? 0 : (layout.ends[hit.block] ?? 0)
  const endOf = (marker: Marker | undefined) => Math.max(read, layout.ends[marker?.block ?? -1] ?? 0)
  const isLong = ({ ttl }: Marker) => pricing.long !== undefined && pricing.long.ttl === ttl
  const write1h = endOf(markers.findLast(isLong)) - read
  const write5m = endOf(markers.at(-1)) - read - write1h
  const uncached = layout.tokens - read - write1h - write5m
  return {
    bill: priceBill({ read, write5m, write1h, uncached }, pricing),
    state: {
      ...passed(state, request, pricing),
      entries: entriesAfter(request, markers, held, hit, pricing),
      prompts: [],
      unread: unreadAfter(state, held, hit),
    },
    hit: hit === undefined ? null : { block: hit.block, tokens: read },
  }
}

function entriesAfter(
  { layout, at, firstTokenMs = 0 }: CacheRequest,
  markers: readonly Marker[],
  held: readonly CacheEntry[],
  hit: CacheEntry | undefined,
  pricing: CachePricing,
): readonly CacheEntry[] {
  const marked = new Set(markers.map(({ block }) => block))
  const isRead = (entry: CacheEntry) =>
    hit !== undefined &&
    entry.block <= hit.block &&
    entry.readableFrom < at &&
    (entry === hit || (marked.has(entry.block) && isPrefixOf(entry, layout)))
  const found = held.filter(isRead)
  const known = new Set(found.map(({ block }) => block))
  const others = held.filter((entry) => !found.includes(entry))
  const refreshed = pricing.sliding ? found.map((entry) => ({ ...entry, usedAt: at })) : found
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
        usedAt: pricing.sliding || hit === undefined ? at : hit.usedAt,
        readableFrom: at + firstTokenMs,
      }
    })
  // The entry used last is kept: a head that every request reads outlives the tails that are written behind it.
  return [...others, ...refreshed, ...written].slice(-MAX_ENTRIES)
}

/**
 * A request with nothing to read does not reset the count. It continues a count that has begun, so that there is a next
 * try.
 */
function unreadAfter(
  { lastStart, unread }: CacheState,
  held: readonly CacheEntry[],
  hit: CacheEntry | undefined,
): number {
  const written = held.filter((entry) => lastStart !== null && entry.readableFrom >= lastStart)
  if (written.length === 0) return unread === 0 ? 0 : unread + 1
  return written.some(({ block }) => hit !== undefined && hit.block >= block) ? 0 : unread + 1
}

/** A provider that caches by itself keeps every prompt and reads the longest beginning that one of them has. */
function servePrefix(request: CacheRequest, state: CacheState, pricing: CachePricing): ServedRequest {
  const { layout, at, firstTokenMs = 0 } = request
  const held = state.prompts.filter(({ usedAt }) => isHeld({ ttl: pricing.short.ttl, usedAt }, at, pricing))
  const live = held.filter(({ readableFrom }) => readableFrom < at)
  const longest = Math.max(0, ...live.map(({ hashes }) => commonBlocks(hashes, layout.hashes)))
  const tokens = layout.ends[longest - 1] ?? 0
  const read = tokens >= pricing.minimumTokens ? tokens : 0
  const prompt: SeenPrompt = { hashes: layout.hashes, usedAt: at, readableFrom: at + firstTokenMs }
  // A prompt that is a beginning of this one adds nothing to it.
  const others = held.filter(
    ({ hashes, readableFrom }) => readableFrom >= at || commonBlocks(hashes, layout.hashes) < hashes.length,
  )
  return {
    bill: priceBill({ read, write5m: 0, write1h: 0, uncached: layout.tokens - read }, pricing),
    state: {
      ...passed(state, request, pricing),
      entries: [],
      unread: 0,
      prompts: layout.tokens < pricing.minimumTokens ? held : [...others, prompt].slice(-MAX_PROMPTS),
    },
    hit: read === 0 ? null : { block: longest - 1, tokens: read },
  }
}

/**
 * The number of leading blocks that two prompts share. Hashes are cumulative, so a binary search finds the last equal
 * one.
 */
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

/** The part of a state about the session, not the cache. */
type Rhythm = Pick<CacheState, 'lastStart' | 'pauses' | keyof SessionPauses>

export function rhythmOf({ lastStart, pauses, requests, longPauses, changes }: CacheState): Rhythm {
  return { lastStart, pauses, requests, longPauses, changes }
}

/** The rhythm when a request starts, which counts. */
export function passed(
  state: CacheState,
  { at, layout }: Pick<CacheRequest, 'at' | 'layout'>,
  { short }: Pick<CachePricing, 'short'>,
): Rhythm {
  const { lastStart, pauses, longPauses, changes } = state
  const requests = state.requests + 1
  if (lastStart === null) return { lastStart: at, pauses, requests, longPauses, changes }
  const pause = Math.max(0, at - lastStart)
  const isLong = pause > short.seconds * 1000
  const last = deepestOf(state.entries.filter(({ usedAt }) => usedAt >= lastStart))
  return {
    lastStart: Math.max(lastStart, at),
    pauses: [...pauses, pause].slice(-MAX_PAUSES),
    requests,
    longPauses: isLong ? [...longPauses, pause].slice(-MAX_PAUSES) : longPauses,
    changes: last === undefined || isPrefixOf(last, layout) ? changes : changes + 1,
  }
}

/** Serves a ping, which is no request of the conversation: the pauses stay as they were. */
export function servePing(ping: CacheRequest, state: CacheState, pricing: CachePricing): ServedRequest {
  const served = serveRequest(ping, state, pricing)
  return { ...served, state: { ...served.state, ...rhythmOf(state) } }
}
