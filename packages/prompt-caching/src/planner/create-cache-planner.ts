import type { CachePlanner } from '@palimpsest/core'
import type { RequestReader } from '../wire/cache-wire.ts'
import { type MessagesRequest, openaiMessagesWire } from '../wire/openai-messages/openai-messages-wire.ts'
import { createPlanner, type Planner, type PlannerOptions } from './create-planner.ts'

export interface CachePlannerOptions extends PlannerOptions {
  /**
   * Which blocks can carry a breakpoint: the format that the messages are sent in, of which only the reading is used.
   * Default: `openaiMessagesWire('native')`, for Anthropic's own API. A plan holds for this format only: another one
   * has its blocks elsewhere.
   */
  readonly wire?: RequestReader<MessagesRequest>
}

export type SessionCachePlanner = CachePlanner & Omit<Planner<MessagesRequest>, 'plan'>

/**
 * Plans breakpoints for the messages of one session: the `cache` of `createContextSession`. Hosts without a session,
 * and those that send requests of another shape, take `createRequestPlanner`.
 */
export function createCachePlanner(options: CachePlannerOptions): SessionCachePlanner {
  const planner = createPlanner(options, options.wire ?? openaiMessagesWire('native'))
  return {
    get pricing() {
      return planner.pricing
    },
    get state() {
      return planner.state
    },
    plan: ({ messages, tools, ...how }) => planner.plan({ messages, tools }, how),
    observe: planner.observe,
    isWarm: planner.isWarm,
    reset: planner.reset,
  }
}
