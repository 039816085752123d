import type { CacheEntry } from '../cache/cache-state.ts'
import { lifetimeOf } from '../cache/entry-life.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CacheLifetime } from '../pricing/cache-pricing.ts'
import { readsToPay } from './place-sticky.ts'
import type { Placement, Situation } from './situation.ts'

/**
 * For caches that are made on purpose, one at a time, and live as long as was paid for, however often they are read
 * (Gemini's `cachedContent`). The price of writing, w, has the storage in it, so that a cache must be read more than
 * (w − 1) / (1 − r) times before it ends: about 4 times an hour for Gemini 2.5 Pro.
 *
 * - Without a cache: a new one, when that many reads are expected.
 * - With one: it is paid for and is kept. It is replaced when what grew behind it costs more than a new one. With the
 *   old one of E tokens and a new one of N, a request that replaces costs c = w·N − r·E − (N − E) more than one that
 *   keeps, and each later one (1 − r)·(N − E) less. So, first, n·(1 − r)·(N − E) > c, with n reads to come before the
 *   old one ends. Second, not before the k requests since the old one was written have paid as much for what grew,
 *   k·(1 − r)·(N − E) / 2 > c, since a prompt that grows evenly by g is cheapest with a new cache every
 *   √(2c / ((1 − r)·g)) requests, which is when both costs are equal.
 */
export function placeExplicit(situation: Situation, lifetime: CacheLifetime): readonly Placement[] {
  const { layout, followUp, deepest, pricing } = situation
  const kept = deepest === undefined ? [] : [{ block: deepest.block, ttl: deepest.ttl, reason: 'sticky' }]
  if (!followUp) return kept
  const block = findStableEnd(layout, (deepest?.block ?? -1) + 1)
  const tokens = layout.ends[block ?? -1] ?? 0
  if (block === undefined || tokens < pricing.minimumTokens) return kept
  if (deepest === undefined) {
    const reads = readsWithin(lifetime.seconds * 1000, situation)
    return reads > readsToPay(lifetime, pricing) ? [{ block, ttl: lifetime.ttl, reason: 'boundary' }] : []
  }
  return isWorthRenewing(deepest, tokens, lifetime, situation)
    ? [{ block, ttl: lifetime.ttl, reason: 'renewal' }]
    : kept
}

function isWorthRenewing(
  old: CacheEntry,
  tokens: number,
  { write }: CacheLifetime,
  situation: Situation,
): boolean {
  const { at, pricing } = situation
  const grown = tokens - old.tokens
  const cost = write * tokens - pricing.read * old.tokens - grown
  const perRead = (1 - pricing.read) * grown
  const left = old.usedAt + lifetimeOf(old.ttl, pricing).seconds * 1000 - at
  const paid = (requestsSince(old.usedAt, situation) * perRead) / 2
  return paid > cost && readsWithin(left, situation) * perRead > cost
}

/**
 * The last end of a message with something behind it, since a request must ask something that is not cached; never
 * between calls and their results.
 */
function findStableEnd({ blocks }: RequestLayout, from: number): number | undefined {
  for (let index = blocks.length - 2; index >= from; index--) {
    const block = blocks[index]
    const next = blocks[index + 1]
    if (!block?.carries || next?.unit === block.unit) continue
    if (next?.kind !== 'tool-result') return index
  }
  return undefined
}

/**
 * Requests that are expected within a time, by the pauses that were seen, and no more than there have been: a session
 * is expected to go on for as long as it has. A pause that is longer than the time counts as all of it, so that one
 * night does not outweigh a day.
 */
function readsWithin(timeMs: number, { state: { pauses } }: Situation): number {
  if (pauses.length === 0 || timeMs <= 0) return 0
  const mean = pauses.reduce((total, pause) => total + Math.min(pause, timeMs), 0) / pauses.length
  return Math.min(timeMs / Math.max(1, mean), pauses.length + 1)
}

/** Requests after the one that started at `time`, this one included. */
function requestsSince(time: number, { at, state: { pauses, lastStart } }: Situation): number {
  let start = lastStart ?? at
  let count = 1
  for (let index = pauses.length - 1; index >= 0 && start > time; index--) {
    start -= pauses[index] ?? 0
    count++
  }
  return count
}
