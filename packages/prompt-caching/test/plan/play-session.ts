import type { CachePlan } from '@palimpsest/core'
import { type CacheState, EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { type ServedRequest, serveRequest } from '../../src/cache/serve-request.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import { type PlanOptions, planRequest } from '../../src/plan/plan-request.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'

export interface Sent {
  readonly plan: CachePlan
  readonly served: ServedRequest
  /** Blocks of the breakpoints, ascending. */
  readonly blocks: readonly number[]
}

export interface PlayedSession {
  state: CacheState
  /** US dollars. */
  usd: number
  send(layout: RequestLayout, at: number, followUp?: boolean): Sent
}

/** Plans and serves requests one after the other. */
export function playSession(pricing: CachePricing, options: PlanOptions = {}): PlayedSession {
  const session: PlayedSession = {
    state: EMPTY_CACHE,
    usd: 0,
    send(layout, at, followUp = true) {
      const { plan, markers } = planRequest({ layout, at, followUp }, session.state, pricing, options)
      const served = serveRequest({ layout, markers, at }, session.state, pricing)
      session.state = served.state
      session.usd += served.bill.usd
      return { plan, served, blocks: markers.map(({ block }) => block) }
    },
  }
  return session
}
