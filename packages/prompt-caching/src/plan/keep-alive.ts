import type { CacheBill } from '@palimpsest/core'
import type { CacheState, Marker } from '../cache/cache-state.ts'
import { isHeld, lifetimeOf } from '../cache/entry-life.ts'
import { deepestOf, isPrefixOf } from '../cache/find-hit.ts'
import { servePing } from '../cache/serve-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { expectPauses } from './expect-pauses.ts'
import { orderLifetimes } from './order-lifetimes.ts'
import { pingIntervalMs, pingsWorth } from './pings-worth.ts'
import type { PlanOptions } from './plan-options.ts'

/** A request without an answer that keeps a prompt alive. */
export interface Ping {
  /** When to send it, in milliseconds since the epoch. */
  readonly at: number
  /** On the layout of the last request, whose prompt it sends again. */
  readonly markers: readonly Marker[]
  /** Its cost. A ping has no output. */
  readonly expected: CacheBill
}

export interface PingInput {
  /** The last request. */
  readonly layout: RequestLayout
  /** After the last request or ping. */
  readonly state: CacheState
  readonly pricing: CachePricing
  /** The cost of the session's earlier pings, in US dollars. */
  readonly spentUsd: number
  readonly options: Pick<PlanOptions, 'ttl' | 'keepAlive' | 'earlier'>
  /** Start of the last request that was no ping, in milliseconds since the epoch. */
  readonly idleSince: number
  /** The time, in milliseconds since the epoch: no ping is planned before it. Default: long ago. */
  readonly now?: number
}

/**
 * The next ping: half a minute before the longest held beginning of the last request lapses, with all its markers.
 * Null without `keepAlive`, when nothing is held, when reading keeps nothing alive, when the user is not expected back
 * so soon that pings pay, and when the ping would exceed the budget. A late one is due now, while there is something left to keep.
 */
export function nextPing(input: PingInput): Ping | null {
  const { layout, state, pricing, spentUsd, options, idleSince, now = Number.NEGATIVE_INFINITY } = input
  if (!options.keepAlive || !pricing.sliding || pricing.maxBreakpoints === 0) return null
  const entries = state.entries.filter((entry) => isPrefixOf(entry, layout))
  const deepest = deepestOf(entries)
  if (deepest === undefined) return null

  const lifetime = lifetimeOf(deepest.ttl, pricing)
  const interval = pingIntervalMs(lifetime)
  const at = Math.max(deepest.usedAt + interval, deepest.readableFrom + 1, now)
  if (!isHeld(deepest, at, pricing)) return null
  const pauses = expectPauses(state, options.earlier, pricing)
  if (at - idleSince > pingsWorth(lifetime, pauses, pricing, options) * interval) return null

  const stoodOn = entries.filter(({ usedAt }) => usedAt === deepest.usedAt)
  const markers = orderLifetimes(stoodOn, pricing).map(({ block, ttl }): Marker => ({ block, ttl }))
  const ping = { layout, markers: markers.slice(-pricing.maxBreakpoints), at }
  const { bill } = servePing(ping, state, pricing)
  // Written so that a budget that is NaN allows no ping.
  return spentUsd + bill.usd <= options.keepAlive.budgetUsd
    ? { at, markers: ping.markers, expected: bill }
    : null
}
