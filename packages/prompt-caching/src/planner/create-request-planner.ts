import type { CachePlan } from '@palimpsest/core'
import type { CacheWire } from '../wire/cache-wire.ts'
import {
  createPlanner,
  type Planner,
  type PlannerOptions,
  type RequestPlanOptions,
} from './create-planner.ts'

export type { PlannerOptions, RequestPlanOptions } from './create-planner.ts'

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

/**
 * Plans breakpoints for requests of any shape, without a session.
 *
 * @throws InvalidOptionError whose `path` names the option
 */
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
