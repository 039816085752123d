import {
  type CacheObservation,
  type CachePlan,
  type Clock,
  type CompactionPricer,
  normalizeUsage,
  type TokenCounter,
} from '@palimpsest/core'
import { type CacheState, EMPTY_CACHE } from '../cache/cache-state.ts'
import { isHeld, liveEntries } from '../cache/entry-life.ts'
import { isPrefixOf } from '../cache/find-hit.ts'
import type { CacheRequest } from '../cache/planned-request.ts'
import { serveRequest } from '../cache/serve-request.ts'
import { createLayouter } from '../layout/create-layouter.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import { explainUsage } from '../observe/explain-usage.ts'
import { nextPing, type Ping } from '../plan/keep-alive.ts'
import { planRequest } from '../plan/plan-breakpoints.ts'
import type { PlanOptions, PlanRequest } from '../plan/plan-options.ts'
import type { CacheProfile } from '../profile/cache-profile.ts'
import { quoteCompaction, type SummarizerPrice } from '../quote/quote-compaction.ts'
import type { WireFormat } from '../wire/wire-format.ts'
import { boundThinking } from './bound-thinking.ts'

/** What a planner needs whatever its requests look like. */
export interface PlannerOptions extends PlanOptions {
  /** Of the model that is used, from `findProfile`. */
  readonly profile: CacheProfile
  readonly tokens: TokenCounter
  /** Default: the system's clock. */
  readonly clock?: Clock
  /** The profile of a model that is changed to. Default: the one there is, with nothing cached. */
  readonly profileOf?: (model: string) => CacheProfile
  /** Who writes summaries. Default: the same model, on the prompt that is cached. */
  readonly summarizer?: SummarizerPrice
  /** Called with each request before it is planned: for a bill of other strategies beside it. */
  readonly onRequest?: (request: PlanRequest) => void
}

export interface RequestPlannerOptions<Request> extends PlannerOptions {
  /** The shape of the requests. */
  readonly wire: WireFormat<Request>
}

export interface RequestPlanOptions {
  /** Characters of the system prompt, from its beginning, that stay the same. Default: all of it. */
  readonly staticSystem?: number | undefined
  /** False when no other request will begin with this one. Default true. */
  readonly followUp?: boolean | undefined
}

/** Plans breakpoints for the requests of one conversation, in any wire format, and remembers what the provider holds. */
export interface RequestPlanner<Request> extends CompactionPricer {
  readonly profile: CacheProfile
  /** What the provider should hold. Plain data. */
  readonly state: CacheState
  /** The breakpoints of a request that is sent now. */
  plan(request: Request, options?: RequestPlanOptions): CachePlan
  /** The same, written into a copy of the request. */
  mark(
    request: Request,
    options?: RequestPlanOptions,
  ): { readonly request: Request; readonly plan: CachePlan }
  /** Compares what the provider reported for the last planned request, in its own shape or ours, with what was expected. */
  observe(usage: object): CacheObservation
  /** Another conversation, or another model if its name is given. */
  reset(model?: string): void
  /** The next ping that keeps the prompt alive; null without `keepAlive` and when none pays. */
  nextPing(): Ping | null
  /** The ping was sent, at its time. */
  pinged(ping: Ping): void
}

interface Planned {
  readonly request: CacheRequest
  readonly plan: CachePlan
  /** Before the request. */
  readonly state: CacheState
  readonly previous: CacheRequest | null
}

export function createRequestPlanner<Request>(
  options: RequestPlannerOptions<Request>,
): RequestPlanner<Request> {
  const { wire, tokens, clock = { now: Date.now }, summarizer } = options
  let { profile } = options
  let layouter = createLayouter(wire, tokens, profile)
  let state = EMPTY_CACHE
  let last: Planned | undefined
  let requests = 0
  let pingedUsd = 0

  const plan: RequestPlanner<Request>['plan'] = (request, { staticSystem, followUp = true } = {}) => {
    const layout = layouter.layout(request, staticSystem)
    // One after the other, also by a clock that stands still or goes back.
    const at = Math.max(clock.now(), (last?.request.at ?? Number.NEGATIVE_INFINITY) + 1)
    options.onRequest?.({ layout, at, followUp })
    const {
      plan: placed,
      markers,
      state: after,
    } = planRequest({ layout, at, followUp }, state, profile, options)
    const previous = last === undefined ? null : last.request
    const repairs = [...placed.repairs, ...boundThinking(previous?.layout, layout, profile)]
    const planned = { ...placed, repairs, ...(staticSystem !== undefined && { staticSystem }) }
    last = { request: { layout, markers, at }, plan: planned, state, previous }
    state = after
    requests++
    return planned
  }

  return {
    get profile() {
      return profile
    },
    get state() {
      return state
    },
    plan,
    mark(request, how) {
      const planned = plan(request, how)
      return { request: wire.apply(request, planned.anchors, planned.staticSystem), plan: planned }
    },
    observe(usage) {
      if (last === undefined) return NOTHING_PLANNED
      const {
        request,
        plan: { expected },
        previous,
        state: before,
      } = last
      return explainUsage({
        usage: normalizeUsage(usage),
        planned: { ...request, expected },
        previous,
        state: before,
        profile,
      })
    },
    quoteCompaction(forecast) {
      const isWarm = last !== undefined && isStillHeld(last.request.layout, state, clock.now(), profile)
      return quoteCompaction(forecast, { profile, isWarm, requests, ...(summarizer && { summarizer }) })
    },
    reset(model) {
      if (model !== undefined && options.profileOf !== undefined) profile = options.profileOf(model)
      layouter = createLayouter(wire, tokens, profile)
      state = EMPTY_CACHE
      last = undefined
      requests = 0
    },
    nextPing() {
      const { keepAlive } = options
      if (!keepAlive || last === undefined) return null
      const { layout, at: idleSince } = last.request
      return nextPing({ layout, state, profile, spentUsd: pingedUsd, options: keepAlive, idleSince })
    },
    pinged({ at, markers, expected }) {
      if (last === undefined) return
      const { lastStart, pauses } = state
      const served = serveRequest({ layout: last.request.layout, markers, at }, state, profile)
      // A ping is no request of the user: it says nothing about pauses.
      state = { ...served.state, lastStart, pauses }
      pingedUsd += expected.usd
    },
  }
}

const NOTHING_PLANNED: CacheObservation = Object.freeze({
  verdict: 'unknown',
  expectedRead: 0,
  read: null,
  message: 'No request was planned before this usage.',
})

/** Whether the provider holds something of the prompt that was sent last. */
function isStillHeld(layout: RequestLayout, state: CacheState, now: number, profile: CacheProfile): boolean {
  const held = state.prompts.some(({ usedAt }) => isHeld({ usedAt, ttl: profile.short.ttl }, now, profile))
  return held || liveEntries(state, now + 1, profile).some((entry) => isPrefixOf(entry, layout))
}
