import type { CacheBreakpoint, CachePlan, CacheTtl } from '@palimpsest/core'
import type { CacheState, Marker } from '../cache/cache-state.ts'
import { isHeld, isPrefixOf, type ServedRequest, serveRequest } from '../cache/serve-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { placeSticky, type Situation } from './place-sticky.ts'
import { placeSystemAnd3 } from './place-system-and-3.ts'

/**
 * - `sticky`: remembers the provider's cache entries and marks them again exactly.
 * - `system_and_3`: marks the system prompt and the last three messages, like Hermes Agent, without memory.
 * - `off`: no breakpoints.
 */
export type CacheStrategy = 'sticky' | 'system_and_3' | 'off'

export interface PlanOptions {
  /** Default `sticky`. */
  readonly strategy?: CacheStrategy
  /** The lifetime of breakpoints: the pricing's short one, or the long one if there is one. Default `5m`. */
  readonly ttl?: '5m' | '1h'
}

export interface PlanRequest {
  readonly layout: RequestLayout
  /** Start of the request, in milliseconds since the epoch. */
  readonly at: number
  /** False if no later request will start with this one. Default true. */
  readonly followUp?: boolean
}

/** A plan, and its expected bill. */
export interface PlannedRequest extends ServedRequest {
  readonly plan: CachePlan
  /** The breakpoints as positions on the layout. */
  readonly markers: readonly Marker[]
}

/** Plans the breakpoints of a request and simulates it. Pure, on plain data. */
export function planRequest(
  request: PlanRequest,
  state: CacheState,
  pricing: CachePricing,
  { strategy = 'sticky', ttl = '5m' }: PlanOptions = {},
): PlannedRequest {
  const { layout, at, followUp = true } = request
  const held = state.entries
    .filter(
      (entry) =>
        entry.writtenAt < at &&
        isHeld(entry, at, pricing) &&
        isPrefixOf(entry, layout) &&
        layout.blocks[entry.block]?.carries === true,
    )
    .sort((a, b) => b.block - a.block)
  const situation: Situation = { layout, followUp, held, pricing }
  const isPlaced = strategy !== 'off' && pricing.maxBreakpoints > 0
  const place = strategy === 'system_and_3' ? placeSystemAnd3 : placeSticky
  const placements = isPlaced ? place(situation) : []
  const lifetime: CacheTtl = (ttl === '1h' ? pricing.long : undefined)?.ttl ?? pricing.short.ttl
  const markers = placements.map(({ block }): Marker => ({ block, ttl: lifetime }))
  const served = serveRequest({ layout, markers, at }, state, pricing)
  const breakpoints = placements.flatMap(({ block, reason }): CacheBreakpoint[] => {
    const ref = layout.blocks[block]?.ref
    return ref === undefined ? [] : [{ ref, ttl: lifetime, reason }]
  })
  return { ...served, plan: { breakpoints, expected: served.bill }, markers }
}
