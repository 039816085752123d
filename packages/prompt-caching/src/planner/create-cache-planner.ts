import type { CachePlan, CachePlanner, Clock, TokenCounter } from '@palimpsest/core'
import { EMPTY_CACHE } from '../cache/cache-state.ts'
import { isStillHeld } from '../cache/serve-request.ts'
import { createLayouter } from '../layout/create-layouter.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import { type PlanOptions, planRequest } from '../plan/plan-request.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { findPricing } from '../pricing/find-pricing.ts'
import type { CacheWire, RequestReader } from '../wire/cache-wire.ts'
import { type MessagesRequest, openaiMessagesWire } from '../wire/openai-messages/openai-messages-wire.ts'

/** Options that do not depend on the shape of requests. */
export interface PlannerOptions extends PlanOptions {
  readonly pricing: CachePricing
  readonly tokens: TokenCounter
  /** Default: the system clock. */
  readonly clock?: Clock
  /**
   * The pricing of the next model after a change. Default: `findPricing({ model })`, which is right for requests to the
   * model's maker; set it for every other route.
   */
  readonly pricingOf?: (model: string) => CachePricing
}

export interface CachePlannerOptions extends PlannerOptions {
  /**
   * The format in which messages are sent, which decides which blocks can carry a breakpoint. Default:
   * `openaiMessagesWire('native')`, for Anthropic's own API. A plan is valid for this format only.
   */
  readonly wire?: RequestReader<MessagesRequest>
}

export interface RequestPlannerOptions<Request> extends PlannerOptions {
  /** The shape of the requests. A plan is valid for this shape only. */
  readonly wire: CacheWire<Request>
}

export interface RequestPlanOptions {
  /** Number of leading characters of the system prompt that stay the same. Default: all. */
  readonly staticSystem?: number | undefined
  /** False if no later request will start with this one. Default true. */
  readonly followUp?: boolean | undefined
}

export interface SessionCachePlanner extends CachePlanner {
  readonly pricing: CachePricing
}

/** Plans breakpoints for the successive requests of one conversation. Each planned request is assumed to be sent. */
export interface RequestPlanner<Request> extends Omit<SessionCachePlanner, 'plan'> {
  /** Plans a request and returns a copy with its breakpoints. */
  mark<Marked extends Request>(
    request: Marked,
    options?: RequestPlanOptions,
  ): { readonly request: Marked; readonly plan: CachePlan }
}

/** Creates the planner for one session's messages: the `cache` of `createContextSession`. */
export function createCachePlanner({ wire, ...options }: CachePlannerOptions): SessionCachePlanner {
  const planner = createPlanner(options, wire ?? openaiMessagesWire('native'))
  const { plan } = planner
  return Object.assign(planner, {
    plan: ({ messages, tools, ...how }: Parameters<CachePlanner['plan']>[0]) =>
      plan({ messages, tools }, how),
  })
}

/** Creates a planner for requests of any shape, without a session. */
export function createRequestPlanner<Request>(
  options: RequestPlannerOptions<Request>,
): RequestPlanner<Request> {
  const { wire } = options
  const planner = createPlanner(options, wire)
  const { plan } = planner
  return Object.assign(planner, {
    mark<Marked extends Request>(request: Marked, how?: RequestPlanOptions) {
      const planned = plan(request, how)
      return { request: wire.apply(request, planned.anchors, planned.staticSystem), plan: planned }
    },
  })
}

function createPlanner<Request>(options: PlannerOptions, reader: RequestReader<Request>) {
  const { clock = { now: Date.now }, pricingOf = (name: string) => findPricing({ model: name }) } = options
  const layouter = createLayouter(reader, options.tokens)
  let { pricing } = options
  let { model } = pricing
  let state = EMPTY_CACHE
  let last: { readonly layout: RequestLayout; readonly at: number } | undefined
  return {
    get pricing() {
      return pricing
    },
    plan(request: Request, { staticSystem: given, followUp = true }: RequestPlanOptions = {}): CachePlan {
      const staticSystem = options.strategy === 'system_and_3' ? undefined : given
      const layout = layouter.layout(request, staticSystem)
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
