import type { CacheObservation, CachePlan, CachePlanner, Clock, TokenCounter } from '@palimpsest/core'
import type { CacheState, SessionPauses } from '../cache/cache-state.ts'
import type { Ping } from '../plan/keep-alive.ts'
import type { PlanOptions, PlanRequest } from '../plan/plan-options.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import type { CacheWire } from '../wire/cache-wire.ts'

/** Options that do not depend on the shape of requests. */
export interface PlannerOptions extends Omit<PlanOptions, 'earlier'> {
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
  /**
   * Sessions of the same people or machines, from whose pauses `auto` and pings expect those of this one. The planner
   * keeps its own session in it, at most 100 altogether: give the same list to the planners that follow, and store it
   * as JSON if they are in another process. Default: this session alone.
   */
  readonly pauses?: SessionPauses[]
  /** Called with each request before it is planned, those that fail included: for a bill of other strategies. */
  readonly onRequest?: (request: PlanRequest) => void
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

/**
 * Plans breakpoints for the requests of one conversation, one after the other, and remembers what the provider holds.
 *
 * A host that calls `observe` calls it for every request that is answered: when it plans again without, the request
 * before is taken to have failed, and what it would have cached is not relied upon. A host that never observes is
 * trusted to send what it plans.
 */
export interface RequestPlanner<Request> extends Pick<CachePlanner, 'isWarm'> {
  readonly pricing: CachePricing
  /** The expected state of the provider's cache. Plain data. */
  readonly state: CacheState
  /** The breakpoints of a request that is sent now, for the wire format that the planner was made with. */
  plan(request: Request, options?: RequestPlanOptions): CachePlan
  /** The same, written into a copy of the request. */
  mark<Marked extends Request>(
    request: Marked,
    options?: RequestPlanOptions,
  ): { readonly request: Marked; readonly plan: CachePlan }
  /**
   * Compares what the provider reported for the last planned request, in its own shape or ours, with what was expected,
   * and believes the provider: what was not read is not held.
   */
  observe(usage: object): CacheObservation
  /**
   * Another conversation; or, if a name is given, another model in the same one: nothing of it is cached, unless it is
   * the model that there is. For a model without a pricing nothing is marked, and each plan says so (`unknown-model`).
   */
  reset(model?: string): void
  /** The next ping that keeps the prompt alive; null without `keepAlive`, when none pays, and when it is too late. */
  nextPing(): Ping | null
  /** The ping was sent, at its time. */
  pinged(ping: Ping): void
}
