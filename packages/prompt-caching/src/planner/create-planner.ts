import {
  type CacheObservation,
  type CacheRepair,
  type Clock,
  InvalidOptionError,
  looseOf,
  normalizeUsage,
} from '@palimpsest/core'
import type { CacheState, SessionPauses } from '../cache/cache-state.ts'
import { isHeld, liveEntries } from '../cache/entry-life.ts'
import { isPrefixOf } from '../cache/find-hit.ts'
import { commonBlocks, servePing } from '../cache/serve-request.ts'
import { createLayouter, type RequestReader } from '../layout/create-layouter.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import { explainUsage, stateAfterUsage } from '../observe/explain-usage.ts'
import { nextPing } from '../plan/keep-alive.ts'
import { planRequest } from '../plan/plan-breakpoints.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { findPricing } from '../pricing/find-pricing.ts'
import { createPlannerMemory, type PlannerMemory } from './planner-memory.ts'
import type { PlannerOptions, RequestPlanner } from './request-planner.ts'

/** A planner that reads requests and writes nothing into them. */
export function createPlanner<Request>(
  options: PlannerOptions,
  reader: RequestReader<Request>,
): Omit<RequestPlanner<Request>, 'mark'> {
  checkPlannerOptions(options)
  const { tokens, pricingOf = (name: string) => findPricing({ model: name }) } = options
  const clock = createSteadyClock(options.clock ?? { now: Date.now })
  const memory = createPlannerMemory()
  let current: ReturnType<typeof modelPricing> = { pricing: options.pricing, repairs: [] }
  let model = options.pricing.model
  let layouter = createLayouter(reader, tokens, current.pricing)
  let pingedUsd = 0
  const own = ownPauses(options.pauses ?? [])

  return {
    get pricing() {
      return current.pricing
    },
    get state() {
      return memory.state
    },
    plan(request, { staticSystem: given, followUp = true } = {}) {
      const { pricing } = current
      // To Hermes Agent's layout a system prompt is one text, whatever an engine has appended to it.
      const staticSystem = options.strategy === 'system_and_3' ? undefined : given
      const layout = layouter.layout(request, staticSystem)
      // One after the other, also by a clock that stands still or goes back.
      const at = Math.max(clock.now(), (memory.last?.request.at ?? Number.NEGATIVE_INFINITY) + 1)
      options.onRequest?.({ layout, at, followUp })
      const { state, request: previous } = memory.believed()
      const planned = planRequest({ layout, at, followUp }, state, pricing, {
        ...options,
        earlier: own.earlier(),
      })
      const { plan, markers } = planned
      memory.sent({ layout, markers, at }, plan.expected, planned.state)
      own.set(planned.state)
      const bound = boundThinking(previous?.layout, layout, pricing)
      const repairs = [...plan.repairs, ...current.repairs, ...bound]
      return { ...plan, repairs, ...(staticSystem !== undefined && { staticSystem }) }
    },
    observe(usage) {
      return observeLast(memory, usage, current.pricing)
    },
    isWarm() {
      const { state, request } = memory.believed()
      return request !== null && isStillHeld(request.layout, state, clock.now(), current.pricing)
    },
    reset(name) {
      if (name === undefined) {
        memory.forget()
        own.end()
        pingedUsd = 0
      } else if (name !== model) {
        model = name
        current = modelPricing(name, current.pricing, pricingOf)
        memory.forgetCache()
      } else return
      layouter = createLayouter(reader, tokens, current.pricing)
    },
    nextPing() {
      const { last, state } = memory
      if (last === undefined) return null
      const { layout, at: idleSince } = last.request
      const input = { layout, state, pricing: current.pricing, spentUsd: pingedUsd, idleSince }
      return nextPing({ ...input, options: { ...options, earlier: own.earlier() }, now: clock.now() })
    },
    pinged({ at, markers, expected }) {
      const { last, state } = memory
      if (last === undefined) return
      memory.correct(servePing({ layout: last.request.layout, markers, at }, state, current.pricing).state)
      pingedUsd += expected.usd
    },
  }
}

/** More sessions than this are not remembered: the oldest goes. */
const MAX_SESSIONS = 100

/** A session's place in a list that is shared with other sessions. */
function ownPauses(sessions: SessionPauses[]) {
  let own: SessionPauses | undefined
  return {
    earlier: (): readonly SessionPauses[] => sessions.filter((session) => session !== own),
    set({ requests, longPauses, changes }: SessionPauses): void {
      const at = own === undefined ? -1 : sessions.indexOf(own)
      own = { requests, longPauses, changes }
      if (at === -1) sessions.push(own)
      else sessions[at] = own
      if (sessions.length > MAX_SESSIONS) sessions.shift()
    },
    end(): void {
      own = undefined
    },
  }
}

/** Compares a usage with the last planned request, and corrects the memory by it. */
function observeLast(memory: PlannerMemory, usage: object, pricing: CachePricing): CacheObservation {
  const { last } = memory
  if (last === undefined) return NOTHING_PLANNED
  const { request, expected, previous, before } = last
  const planned = { ...request, expected }
  const input = { usage: normalizeUsage(usage), planned, previous, state: before, pricing }
  const observation = explainUsage(input)
  if (memory.answered()) memory.correct(stateAfterUsage(input, observation, memory.state))
  return observation
}

const NOTHING_PLANNED: CacheObservation = Object.freeze({
  verdict: 'unknown',
  expectedRead: 0,
  read: null,
  message: 'No request was planned before this usage.',
})

/** Whether the provider holds something of the prompt that was sent last. */
function isStillHeld(layout: RequestLayout, state: CacheState, now: number, pricing: CachePricing): boolean {
  const held = state.prompts.some(({ usedAt }) => isHeld({ usedAt, ttl: pricing.short.ttl }, now, pricing))
  return held || liveEntries(state, now + 1, pricing).some((entry) => isPrefixOf(entry, layout))
}

/** A clock that stands still while the one given does not say what time it is. */
function createSteadyClock(clock: Clock): Clock {
  let latest = 0
  return {
    now() {
      const now = clock.now()
      if (Number.isFinite(now)) latest = now
      return latest
    },
  }
}

/**
 * The pricing of a model that is changed to. For one without a pricing nothing is marked, and prices stay those of the
 * model before, as the nearest guess that there is.
 */
function modelPricing(
  model: string,
  before: CachePricing,
  pricingOf: (model: string) => CachePricing,
): { readonly pricing: CachePricing; readonly repairs: readonly CacheRepair[] } {
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

/**
 * Thinking that stands behind an edit of what was sent before, for a model that binds thinking to everything in front
 * of it: the provider refuses such a request. A `ContextSession` strips it; this is for hosts that edit by themselves.
 */
function boundThinking(
  before: RequestLayout | undefined,
  { blocks, hashes }: RequestLayout,
  { bindsThinking }: CachePricing,
): readonly CacheRepair[] {
  if (!bindsThinking || before === undefined) return []
  const common = commonBlocks(before.hashes, hashes)
  if (common === before.hashes.length) return []
  const block = blocks.slice(common).find(({ kind }) => kind === 'thinking')
  if (block?.ref?.at !== 'message') return []
  const message = `message ${block.ref.index} has thinking behind a place where the conversation was edited; strip it (stripReasoning) or set prefix_mismatch_behavior to "drop_block"`
  return [{ rule: 'bound-thinking', message }]
}

const MATCHINGS: readonly unknown[] = ['collapsed', 'per-block', 'exact', 'prefix']
const STRATEGIES: readonly unknown[] = ['sticky', 'system_and_3', 'off', undefined]
const LIFETIMES: readonly unknown[] = ['5m', '1h', 'auto', undefined]

/**
 * Refuses options that would make a planner fail at its first request, or plan nonsense.
 *
 * @throws InvalidOptionError whose `path` names the option
 */
function checkPlannerOptions(options: PlannerOptions): void {
  const { pricing, tokens, ttl, strategy, keepAlive, pauses } = fields(
    options,
    '',
    'the options of the planner',
  )
  const { matching } = fields(pricing, 'pricing', 'the answer of findPricing({ model })')
  if (!MATCHINGS.includes(matching)) refuse('pricing.matching', 'the answer of findPricing({ model })')
  if (typeof fields(tokens, 'tokens', A_COUNTER).countText !== 'function') refuse('tokens', A_COUNTER)
  if (!STRATEGIES.includes(strategy)) refuse('strategy', 'sticky, system_and_3 or off')
  if (!LIFETIMES.includes(ttl)) refuse('ttl', '5m, 1h or auto')
  if (pauses !== undefined && !isPauses(pauses)) refuse('pauses', 'a list that planners filled, or []')
  if (keepAlive === undefined || keepAlive === null) return
  const { budgetUsd } = fields(keepAlive, 'keepAlive', 'null or { budgetUsd }')
  if (!(typeof budgetUsd === 'number' && Number.isFinite(budgetUsd) && budgetUsd >= 0))
    refuse('keepAlive.budgetUsd', 'a number of US dollars, 0 or more')
}

const A_COUNTER = 'a token counter, such as roughTokenCounter of @palimpsest/core'

function isPauses(value: unknown): boolean {
  const isCount = (count: unknown) => typeof count === 'number' && count >= 0
  return (
    Array.isArray(value) &&
    value.every((session) => {
      const { requests, longPauses, changes } = looseOf(session)
      const isWhole = isCount(requests) && isCount(changes)
      return isWhole && Array.isArray(longPauses) && longPauses.every(isCount)
    })
  )
}

function fields(value: unknown, path: string, expected: string): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : refuse(path, expected)
}

function refuse(path: string, expected: string): never {
  throw new InvalidOptionError(path, `${path === '' ? '' : `${path}: `}expected ${expected}`)
}
