import type { CachePlan, CachePlanner, Clock, TokenCounter } from '@palimpsest/core'
import { type CacheState, EMPTY_CACHE } from '../cache/cache-state.ts'
import { liveEntries } from '../cache/entry-life.ts'
import type { CacheRequest } from '../cache/planned-request.ts'
import { serveRequest } from '../cache/serve-request.ts'
import { createLayouter } from '../layout/create-layouter.ts'
import { markersOf } from '../layout/marker-blocks.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import { explainUsage } from '../observe/explain-usage.ts'
import { nextPing, type Ping } from '../plan/keep-alive.ts'
import { planBreakpoints } from '../plan/plan-breakpoints.ts'
import type { PlanOptions, PlanRequest } from '../plan/plan-options.ts'
import type { CacheProfile } from '../profile/cache-profile.ts'
import { quoteCompaction } from '../quote/quote-compaction.ts'
import { type MessagesRequest, openaiMessagesWire } from '../wire/openai-messages/openai-messages-wire.ts'
import type { CacheSettings, WireFormat } from '../wire/wire-format.ts'
import { boundThinking } from './bound-thinking.ts'

export interface CachePlannerOptions extends PlanOptions {
  /** Of the model that the session uses, from `findProfile`. */
  readonly profile: CacheProfile
  /** The same counter as the session's. */
  readonly tokens: TokenCounter
  /** Default: the system's clock. */
  readonly clock?: Clock
  /** What else decides whether a prompt is the same: the effort of thinking, the choice of tools. Default: nothing. */
  readonly settings?: CacheSettings
  /** Which blocks can carry a breakpoint. Default: those of Anthropic's own wire format. */
  readonly wire?: WireFormat<MessagesRequest>
  /** The profile of a model that the session changes to. Default: the one there is, with nothing cached. */
  readonly profileOf?: (model: string) => CacheProfile
  /** Who writes summaries, in US dollars for a million tokens. Default: the same model, on the prompt that is cached. */
  readonly summarizer?: { readonly input: number; readonly output: number }
  /** Called with each request before it is planned: for a bill of other strategies beside it. */
  readonly onRequest?: (request: PlanRequest) => void
}

/** The planner of one session, and what it remembers. */
export interface SessionCachePlanner extends CachePlanner {
  readonly profile: CacheProfile
  /** What the provider should hold. Plain data. */
  readonly state: CacheState
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
  readonly previous: { readonly layout: RequestLayout; readonly at: number } | null
}

/** Plans breakpoints for the messages of one session: the `cache` of `createContextSession`. */
export function createCachePlanner(options: CachePlannerOptions): SessionCachePlanner {
  const { tokens, clock = { now: Date.now }, settings = {}, wire = openaiMessagesWire('native') } = options
  let { profile } = options
  let layouter = createLayouter(wire, tokens, profile)
  let state = EMPTY_CACHE
  let last: Planned | undefined
  let requests = 0
  let pingedUsd = 0

  const isWarm = (): boolean => {
    if (last === undefined) return false
    const { hashes } = last.request.layout
    const at = clock.now() + 1
    if (profile.matching === 'prefix')
      return state.prompts.some(({ usedAt }) => at - usedAt <= profile.short.seconds * 1000)
    return liveEntries(state, at, profile).some(({ block, hash }) => hashes[block] === hash)
  }

  return {
    get profile() {
      return profile
    },
    get state() {
      return state
    },
    plan({ messages, tools, staticSystem, followUp = true }) {
      const layout = layouter.layout({ messages, tools, settings }, staticSystem)
      const at = clock.now()
      options.onRequest?.({ layout, at, followUp })
      const placed = planBreakpoints({ layout, at, followUp }, state, profile, options)
      const repairs = [...placed.repairs, ...boundThinking(last?.request.layout, layout, profile)]
      const plan = { ...placed, repairs, ...(staticSystem !== undefined && { staticSystem }) }
      const request = { layout, markers: markersOf(layout, plan.anchors), at }
      const previous = last === undefined ? null : last.request
      last = { request, plan, state, previous }
      state = serveRequest(request, state, profile).state
      requests++
      return plan
    },
    observe(usage) {
      if (last === undefined)
        return { verdict: 'unknown', expectedRead: 0, read: null, message: 'nothing was planned' }
      const { request, plan, previous, state: before } = last
      const planned = { ...request, expected: plan.expected }
      return explainUsage({ usage, planned, previous, state: before, profile })
    },
    quoteCompaction(forecast) {
      const { summarizer } = options
      const context = { profile, isWarm: isWarm(), requests, ...(summarizer && { summarizer }) }
      return quoteCompaction(forecast, context)
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
      // A ping is no request of the user: it says nothing about pauses.
      state = {
        ...serveRequest({ layout: last.request.layout, markers, at }, state, profile).state,
        lastStart,
        pauses,
      }
      pingedUsd += expected.usd
    },
  }
}
