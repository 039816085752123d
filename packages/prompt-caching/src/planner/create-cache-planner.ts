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
  /** Of the model that is used, from `findPricing`. */
  readonly pricing: CachePricing
  readonly tokens: TokenCounter
  /** Default: the system's clock. */
  readonly clock?: Clock
  /**
   * The pricing of a model that is changed to. Default: `findPricing({ model })`, which is right where requests go to
   * the model's maker; give this one on every other route.
   */
  readonly pricingOf?: (model: string) => CachePricing
}

export interface CachePlannerOptions extends PlannerOptions {
  /**
   * Which blocks can carry a breakpoint: the format that the messages are sent in, of which only the reading is used.
   * Default: `openaiMessagesWire('native')`, for Anthropic's own API. A plan holds for this format only: another one
   * has its blocks elsewhere.
   */
  readonly wire?: RequestReader<MessagesRequest>
}

export interface RequestPlannerOptions<Request> extends PlannerOptions {
  /** The shape of the requests. A plan holds for this shape only: another one has its blocks elsewhere. */
  readonly wire: CacheWire<Request>
}

export interface RequestPlanOptions {
  /** Characters of the system prompt, from its beginning, that stay the same. Default: all of it. */
  readonly staticSystem?: number | undefined
  /** False when no other request will begin with this one. Default true. */
  readonly followUp?: boolean | undefined
}

export interface SessionCachePlanner extends CachePlanner {
  /** Of the model that is used now. */
  readonly pricing: CachePricing
}

/** Plans breakpoints for the requests of one conversation, one after the other. Each is taken to be sent. */
export interface RequestPlanner<Request> extends Omit<SessionCachePlanner, 'plan'> {
  /** Plans a request, and writes the breakpoints into a copy of it. */
  mark<Marked extends Request>(
    request: Marked,
    options?: RequestPlanOptions,
  ): { readonly request: Marked; readonly plan: CachePlan }
}

/** Plans breakpoints for the messages of one session: the `cache` of `createContextSession`. */
export function createCachePlanner({ wire, ...options }: CachePlannerOptions): SessionCachePlanner {
  const planner = createPlanner(options, wire ?? openaiMessagesWire('native'))
  const { plan } = planner
  return Object.assign(planner, {
    plan: ({ messages, tools, ...how }: Parameters<CachePlanner['plan']>[0]) =>
      plan({ messages, tools }, how),
  })
}

/** Plans breakpoints for requests of any shape, without a session. */
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
      // To system_and_3 a system prompt is one text, whatever an engine has appended to it.
      const staticSystem = options.strategy === 'system_and_3' ? undefined : given
      const layout = layouter.layout(request, staticSystem)
      // One after the other, also by a clock that stands still or goes back.
      const at = Math.max(clock.now(), (last?.at ?? Number.NEGATIVE_INFINITY) + 1)
      const planned = planRequest({ layout, at, followUp }, state, pricing, options)
      last = { layout, at }
      state = planned.state
      return { ...planned.plan, ...(staticSystem !== undefined && { staticSystem }) }
    },
    isWarm: () => last !== undefined && isStillHeld(last.layout, state, clock.now(), pricing),
    /**
     * Nothing is cached any more. For a model without prices nothing is marked.
     *
     * @throws what `pricingOf` throws.
     */
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
