import {
  type CacheBill,
  type CacheObservation,
  type CachePlan,
  type CachePlanner,
  type CacheRepair,
  type Clock,
  normalizeUsage,
  type TokenCounter,
} from '@palimpsest/core'
import { type CacheRequest, type CacheState, EMPTY_CACHE } from '../cache/cache-state.ts'
import { isStillHeld } from '../cache/serve-request.ts'
import { createLayouter } from '../layout/create-layouter.ts'
import { explainUsage, stateAfterUsage } from '../observe/explain-usage.ts'
import { type PlanOptions, type PlanRequest, planRequest } from '../plan/plan-request.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { findPricing } from '../pricing/find-pricing.ts'
import type { CacheWire, RequestReader } from '../wire/cache-wire.ts'

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
  /** Called with each request before it is planned, those that fail included: for a bill of other strategies. */
  readonly onRequest?: (request: PlanRequest) => void
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
export interface Planner<Request> extends Pick<CachePlanner, 'isWarm' | 'reset'> {
  readonly pricing: CachePricing
  /** The expected state of the provider's cache. Plain data. */
  readonly state: CacheState
  /** The breakpoints of a request that is sent now, for the wire format that the planner was made with. */
  plan(request: Request, options?: RequestPlanOptions): CachePlan
  /**
   * Compares what the provider reported for the last planned request, in its own shape or ours, with what was expected,
   * and believes the provider: what was not read is not held.
   */
  observe(usage: object): CacheObservation
}

/** A request that was planned. It counts as sent until it turns out that it was not. */
interface Sent {
  readonly request: CacheRequest
  readonly expected: CacheBill
  /** The assumed state of the provider's cache before it. */
  readonly before: CacheState
  /** The request before it that arrived. */
  readonly previous: CacheRequest | null
}

/** A planner that reads requests and writes nothing into them. */
export function createPlanner<Request>(
  options: PlannerOptions,
  reader: RequestReader<Request>,
): Planner<Request> {
  const {
    tokens,
    clock = { now: Date.now },
    pricingOf = (name: string) => findPricing({ model: name }),
  } = options
  const layouter = createLayouter(reader, tokens)
  let current: ModelPricing = { pricing: options.pricing, repairs: [] }
  let model = options.pricing.model
  let state = EMPTY_CACHE
  let last: Sent | undefined
  let isAnswered = false
  /** Whether the host observes at all. */
  let observes = false

  /** What is believed when the next request comes: without the last one, if its answer should have arrived by now. */
  const believed = () =>
    observes && last !== undefined && !isAnswered
      ? { before: last.before, previous: last.previous }
      : { before: state, previous: last?.request ?? null }

  return {
    get pricing() {
      return current.pricing
    },
    get state() {
      return state
    },
    plan(request, { staticSystem: given, followUp = true } = {}) {
      const { pricing, repairs } = current
      // To system_and_3 a system prompt is one text, whatever an engine has appended to it.
      const staticSystem = options.strategy === 'system_and_3' ? undefined : given
      const layout = layouter.layout(request, staticSystem)
      // One after the other, also by a clock that stands still or goes back.
      const at = Math.max(clock.now(), (last?.request.at ?? Number.NEGATIVE_INFINITY) + 1)
      options.onRequest?.({ layout, at, followUp })
      const { before, previous } = believed()
      const planned = planRequest({ layout, at, followUp }, before, pricing, options)
      const { plan, markers } = planned
      last = { request: { layout, markers, at }, expected: plan.expected, before, previous }
      state = planned.state
      isAnswered = false
      return {
        ...plan,
        repairs: [...plan.repairs, ...repairs],
        ...(staticSystem !== undefined && { staticSystem }),
      }
    },
    observe(usage) {
      if (last === undefined) return NOTHING_PLANNED
      const input = { ...last, usage: normalizeUsage(usage), pricing: current.pricing }
      const observation = explainUsage(input)
      if (!isAnswered) state = stateAfterUsage(input, observation, state)
      isAnswered = true
      observes = true
      return observation
    },
    isWarm() {
      const { before, previous } = believed()
      return previous !== null && isStillHeld(previous.layout, before, clock.now(), current.pricing)
    },
    reset(name) {
      if (name === model) return
      if (name !== undefined) {
        model = name
        current = modelPricing(name, current.pricing, pricingOf)
      }
      state = EMPTY_CACHE
      last = undefined
    },
  }
}

const NOTHING_PLANNED: CacheObservation = Object.freeze({
  verdict: 'unknown',
  expectedRead: 0,
  read: null,
  message: 'No request was planned before this usage.',
})

interface ModelPricing {
  readonly pricing: CachePricing
  readonly repairs: readonly CacheRepair[]
}

/**
 * The pricing of a model that is changed to. For one without a pricing nothing is marked, and prices stay those of the
 * model before, as the nearest guess that there is.
 */
function modelPricing(
  model: string,
  before: CachePricing,
  pricingOf: (model: string) => CachePricing,
): ModelPricing {
  try {
    return { pricing: pricingOf(model), repairs: [] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'this model has no pricing'
    const message = `${reason}. Nothing is marked, and prices are those of ${before.model}.`
    return {
      pricing: { ...before, matching: 'exact', lookback: 1, maxBreakpoints: 0 },
      repairs: [{ rule: 'unknown-model', message }],
    }
  }
}

export interface RequestPlannerOptions<Request> extends PlannerOptions {
  /** The shape of the requests. A plan holds for this shape only: another one has its blocks elsewhere. */
  readonly wire: CacheWire<Request>
}

export interface RequestPlanner<Request> extends Planner<Request> {
  /** Plans a request, and writes the breakpoints into a copy of it. */
  mark<Marked extends Request>(
    request: Marked,
    options?: RequestPlanOptions,
  ): { readonly request: Marked; readonly plan: CachePlan }
}

/** Plans breakpoints for requests of any shape, without a session. */
export function createRequestPlanner<Request>(
  options: RequestPlannerOptions<Request>,
): RequestPlanner<Request> {
  const { wire } = options
  const planner = createPlanner(options, wire)
  return Object.assign(planner, {
    mark<Marked extends Request>(request: Marked, how?: RequestPlanOptions) {
      const plan = planner.plan(request, how)
      return { request: wire.apply(request, plan.anchors, plan.staticSystem), plan }
    },
  })
}
