import type { CachePlan } from '@palimpsest/core'
import { type CacheState, EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { type ServedRequest, servePing, serveRequest } from '../../src/cache/serve-request.ts'
import { markersOf } from '../../src/layout/marker-blocks.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import { nextPing } from '../../src/plan/keep-alive.ts'
import { planBreakpoints } from '../../src/plan/plan-breakpoints.ts'
import type { PlanOptions } from '../../src/plan/plan-options.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'

export interface Sent {
  readonly plan: CachePlan
  readonly served: ServedRequest
  /** Blocks of the anchors, ascending. */
  readonly blocks: readonly number[]
}

export interface PlayedSession {
  state: CacheState
  /** US dollars, pings included. */
  usd: number
  pings: number
  send(layout: RequestLayout, at: number, followUp?: boolean): Sent
}

/** Plans and serves requests one after the other, and pings between them when the options ask for it. */
export function playSession(pricing: CachePricing, options: PlanOptions = {}): PlayedSession {
  let last: { layout: RequestLayout; at: number } | undefined
  const session: PlayedSession = {
    state: EMPTY_CACHE,
    usd: 0,
    pings: 0,
    send(layout, at, followUp = true) {
      if (last !== undefined) pingUntil(at, last)
      const plan = planBreakpoints({ layout, at, followUp }, session.state, pricing, options)
      const markers = markersOf(layout, plan.anchors)
      const served = serveRequest({ layout, markers, at }, session.state, pricing)
      session.state = served.state
      session.usd += served.bill.usd
      last = { layout, at }
      return { plan, served, blocks: markers.map(({ block }) => block) }
    },
  }

  let spentUsd = 0
  const pingUntil = (until: number, { layout, at }: { layout: RequestLayout; at: number }) => {
    for (;;) {
      const { state } = session
      const ping = nextPing({ layout, state, pricing, spentUsd, options, idleSince: at })
      if (ping === null || ping.at >= until) return
      session.state = servePing({ layout, markers: ping.markers, at: ping.at }, state, pricing).state
      spentUsd += ping.expected.usd
      session.usd += ping.expected.usd
      session.pings++
    }
  }
  return session
}

/** `collapsed`, `per-block` and `exact`, with the lookback that each has. */
export function matchingPricings(base: CachePricing): CachePricing[] {
  return [
    { ...base, matching: 'collapsed' },
    { ...base, matching: 'per-block' },
    { ...base, matching: 'exact', lookback: 1 },
  ]
}
