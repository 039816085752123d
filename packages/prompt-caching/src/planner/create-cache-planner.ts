import type { CachePlanner } from '@palimpsest/core'
import { type MessagesRequest, openaiMessagesWire } from '../wire/openai-messages/openai-messages-wire.ts'
import type { CacheSettings, WireFormat } from '../wire/wire-format.ts'
import { createRequestPlanner, type PlannerOptions, type RequestPlanner } from './create-request-planner.ts'

export interface CachePlannerOptions extends PlannerOptions {
  /** What else decides whether a prompt is the same: the effort of thinking, the choice of tools. Default: nothing. */
  readonly settings?: CacheSettings
  /** Which blocks can carry a breakpoint. Default: `openaiMessagesWire('native')`, for Anthropic's own API. */
  readonly wire?: WireFormat<MessagesRequest>
}

/** The planner of one session, and what it remembers. */
export type SessionCachePlanner = CachePlanner & Omit<RequestPlanner<MessagesRequest>, 'plan' | 'mark'>

/**
 * Plans breakpoints for the messages of one session: the `cache` of `createContextSession`. Hosts without a session, and
 * those that send requests of another shape, take `createRequestPlanner`.
 */
export function createCachePlanner(options: CachePlannerOptions): SessionCachePlanner {
  const { settings = {}, wire = openaiMessagesWire('native') } = options
  const planner = createRequestPlanner({ ...options, wire })
  return {
    get profile() {
      return planner.profile
    },
    get state() {
      return planner.state
    },
    plan: ({ messages, tools, ...how }) => planner.plan({ messages, tools, settings }, how),
    observe: planner.observe,
    quoteCompaction: planner.quoteCompaction,
    reset: planner.reset,
    nextPing: planner.nextPing,
    pinged: planner.pinged,
  }
}
