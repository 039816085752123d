import type { CacheAnchor, CachePlan, CacheRepair } from '@palimpsest/core'
import type { CacheEntry, CacheState, Marker } from '../cache/cache-state.ts'
import { liveEntries } from '../cache/entry-life.ts'
import { deepestOf, isPrefixOf } from '../cache/find-hit.ts'
import { type ServedRequest, serveRequest } from '../cache/serve-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { chooseLifetimes } from './choose-lifetimes.ts'
import { placeExplicit } from './place-explicit.ts'
import { placeSticky } from './place-sticky.ts'
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
