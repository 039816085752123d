import type { CacheAnchor, CachePlan, CacheRepair } from '@palimpsest/core'
import type { CacheEntry, CacheState, Marker } from '../cache/cache-state.ts'
import { lifetimeOf, liveEntries } from '../cache/entry-life.ts'
import { deepestOf, isPrefixOf } from '../cache/find-hit.ts'
import { type ServedRequest, serveRequest } from '../cache/serve-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'
import { chooseLifetimes } from './choose-lifetimes.ts'
import { placeSticky, readsToPay } from './place-sticky.ts'
import { placeSystemAnd3 } from './place-system-and-3.ts'
import type { PlanOptions, PlanRequest } from './plan-options.ts'
import { findTail } from './prompt-ends.ts'
import type { Placement, Situation } from './situation.ts'

/** A plan, and what comes of it: the bill is what the plan expects. */
export interface PlannedRequest extends ServedRequest {
  readonly plan: CachePlan
  /** Those of its anchors that stand where a breakpoint is of use, on the layout. */
  readonly markers: readonly Marker[]
}

/** Plans a request and serves it, for those who go on to the next one. */
export function planRequest(
  request: PlanRequest,
  state: CacheState,
  pricing: CachePricing,
  options: PlanOptions = {},
): PlannedRequest {
  const { layout, at, followUp = true } = request
  const held = heldEntries(layout, state, at, pricing)
  const situation: Situation = { layout, at, followUp, state, held, deepest: deepestOf(held), pricing }
  const placements = place(situation, options)
  const markers = placements.filter(({ block }) => layout.blocks[block]?.carries === true)
  const served = serveRequest({ ...request, markers }, state, pricing)
  const anchors = placements.flatMap(({ block, ttl, reason }): CacheAnchor[] => {
    const ref = layout.blocks[block]?.ref ?? null
    return ref === null ? [] : [{ ref, ttl, reason }]
  })
  const repairs = placements.length === 0 ? repairsWithoutAnchors(situation, options) : []
  return { ...served, plan: { anchors, expected: served.bill, repairs }, markers }
}

/**
 * Where the breakpoints of a request stand, and what the request is expected to cost. Pure; plain data in, plain data
 * out. Takes time for what is new and what is remembered, not for how long the prompt is.
 */
export function planBreakpoints(
  request: PlanRequest,
  state: CacheState,
  pricing: CachePricing,
  options: PlanOptions = {},
): CachePlan {
  return planRequest(request, state, pricing, options).plan
}

function place(situation: Situation, options: PlanOptions): readonly Placement[] {
  const { pricing } = situation
  const { strategy = 'sticky' } = options
  if (strategy === 'off' || pricing.maxBreakpoints === 0) return []
  const lifetimes = chooseLifetimes(situation, options)
  if (!pricing.sliding && pricing.maxBreakpoints === 1) return placeExplicit(situation, lifetimes.head)
  return strategy === 'sticky' ? placeSticky(situation, lifetimes) : placeSystemAnd3(situation, lifetimes)
}

function repairsWithoutAnchors(situation: Situation, { strategy }: PlanOptions): readonly CacheRepair[] {
  const { layout, followUp, pricing } = situation
  const tokens = layout.tokens
  if (strategy === 'off' || pricing.maxBreakpoints === 0 || !followUp || tokens < pricing.minimumTokens)
    return []
  if (findTail(layout) !== undefined) return []
  const message = `Nothing in this request can carry a breakpoint, so none of its ${tokens} tokens are cached.`
  return [{ rule: 'no-carrier', message }]
}

/**
 * The entries that a request can read if it starts at `at`, begins with, and can mark again. Linear in the number of
 * remembered entries.
 */
function heldEntries(
  layout: RequestLayout,
  state: CacheState,
  at: number,
  pricing: CachePricing,
): readonly CacheEntry[] {
  return liveEntries(state, at, pricing).filter(
    (entry) => isPrefixOf(entry, layout) && layout.blocks[entry.block]?.carries === true,
  )
}

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
function placeExplicit(situation: Situation, lifetime: CacheLifetime): readonly Placement[] {
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
