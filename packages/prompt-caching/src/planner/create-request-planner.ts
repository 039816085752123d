import { createPlanner } from './create-planner.ts'
import type { RequestPlanner, RequestPlannerOptions } from './request-planner.ts'

export type * from './request-planner.ts'

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
    mark<Marked extends Request>(request: Marked, how?: Parameters<typeof planner.plan>[1]) {
      const plan = planner.plan(request, how)
      return { request: wire.apply(request, plan.anchors, plan.staticSystem), plan }
    },
  })
}
