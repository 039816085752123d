import type { CachePlan, CachePlanner, Clock, TokenCounter } from '@palimpsest/core'
import { EMPTY_CACHE } from '../cache/cache-state.ts'
import { isStillHeld } from '../cache/serve-request.ts'
import { createLayouter } from '../layout/create-layouter.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import { type PlanOptions, planRequest } from '../plan/plan-request.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { findPricing } from '../pricing/find-pricing.ts'
import { type CacheWire, openaiMessagesWire } from '../wire/openai-messages/openai-messages-wire.ts'

export interface CachePlannerOptions extends PlanOptions {
  readonly pricing: CachePricing
  readonly tokens: TokenCounter
  /** Default: the system clock. */
  readonly clock?: Clock
  /**
   * The pricing of the next model after a change. Default: `findPricing({ model })`, which is right for requests to the
   * model's maker; set it for every other route.
   */
  readonly pricingOf?: (model: string) => CachePricing
  /**
   * The format in which messages are sent, which decides which blocks can carry a breakpoint. Default:
   * `openaiMessagesWire('native')`, for Anthropic's own API. A plan is valid for this format only.
   */
  readonly wire?: CacheWire
}

export interface SessionCachePlanner extends CachePlanner {
  readonly pricing: CachePricing
}

/**
 * Creates the planner for the successive requests of one conversation: the `cache` of `createContextSession`. Each
 * planned request is assumed to be sent.
 */
export function createCachePlanner(options: CachePlannerOptions): SessionCachePlanner {
  const { clock = { now: Date.now }, pricingOf = (name: string) => findPricing({ model: name }) } = options
  const layouter = createLayouter(options.wire ?? openaiMessagesWire('native'), options.tokens)
  let { pricing } = options
  let { model } = pricing
  let state = EMPTY_CACHE
  let last: { readonly layout: RequestLayout; readonly at: number } | undefined
  return {
    get pricing() {
      return pricing
    },
    plan({ messages, tools, staticSystem: given, followUp = true }): CachePlan {
      const staticSystem = options.strategy === 'system_and_3' ? undefined : given
      const layout = layouter.layout({ messages, tools }, staticSystem)
      // Times increase even if the clock stops or goes back.
      const at = Math.max(clock.now(), (last?.at ?? Number.NEGATIVE_INFINITY) + 1)
      const planned = planRequest({ layout, at, followUp }, state, pricing, options)
      last = { layout, at }
      state = planned.state
      return { ...planned.plan, ...(staticSystem !== undefined && { staticSystem }) }
    },
    isWarm: () => last !== undefined && isStillHeld(last.layout, state, clock.now(), pricing),
    reset(name?: string): void {
      if (name === model) return
      state = EMPTY_CACHE
      last = undefined
      if (name === undefined) return
      model = name
      pricing = { ...pricing, maxBreakpoints: 0 }
      pricing = pricingOf(name)
    },
  }
}
