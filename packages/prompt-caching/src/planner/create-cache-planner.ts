import type { CachePlanner } from '@palimpsest/core'
import type { RequestReader } from '../layout/create-layouter.ts'
import type { CacheSettings } from '../wire/cache-wire.ts'
import { type MessagesRequest, openaiMessagesWire } from '../wire/openai-messages/openai-messages-wire.ts'
import { createPlanner } from './create-planner.ts'
import type { PlannerOptions, RequestPlanner } from './request-planner.ts'

export interface CachePlannerOptions extends PlannerOptions {
  /**
   * Other settings that decide whether a prompt is the same: the effort of thinking, the choice of tools. Those of a
   * call win, as a whole. Default: nothing.
   */
  readonly settings?: CacheSettings
  /**
   * Which blocks can carry a breakpoint: the format that the messages are sent in, of which only the reading is used.
   * Default: `openaiMessagesWire('native')`, for Anthropic's own API. A plan holds for this format only: another one
   * has its blocks elsewhere.
   */
  readonly wire?: RequestReader<MessagesRequest>
}

export type SessionCachePlanner = CachePlanner & Omit<RequestPlanner<MessagesRequest>, 'plan' | 'mark'>

/**
 * Plans breakpoints for the messages of one session: the `cache` of `createContextSession`. Hosts without a session,
 * and those that send requests of another shape, take `createRequestPlanner`.
 *
 * @throws InvalidOptionError whose `path` names the option
 */
export function createCachePlanner(options: CachePlannerOptions): SessionCachePlanner {
  const { settings = {}, wire = openaiMessagesWire('native') } = options
  const { name, readTool, readSystem, readMessage } = wire
  const reader: RequestReader<MessagesRequest> = {
    name,
    readTool,
    readSystem,
    readMessage,
    // A format of a provider's own requests looks for settings elsewhere.
    parts: (request) => ({ ...wire.parts(request), settings: request.settings ?? {} }),
  }
  const planner = createPlanner(options, reader)
  return {
    get pricing() {
      return planner.pricing
    },
    get state() {
      return planner.state
    },
    plan: ({ messages, tools, settings: own = settings, ...how }) =>
      planner.plan({ messages, tools, settings: own }, how),
    observe: planner.observe,
    isWarm: planner.isWarm,
    reset: planner.reset,
    nextPing: planner.nextPing,
    pinged: planner.pinged,
  }
}
