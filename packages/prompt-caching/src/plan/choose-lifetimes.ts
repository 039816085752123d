import { lifetimeOf } from '../cache/entry-life.ts'
import { passed } from '../cache/serve-request.ts'
import type { CacheLifetime } from '../pricing/cache-pricing.ts'
import { expectPauses } from './expect-pauses.ts'
import { pausesCost } from './pings-worth.ts'
import type { PlanOptions } from './plan-options.ts'
import type { Situation } from './situation.ts'

/** The lifetimes for what a request writes. That of the messages is not the longer one. */
export interface Lifetimes {
  /** Of tools and system prompt. */
  readonly head: CacheLifetime
  readonly messages: CacheLifetime
}

/**
 * `auto` writes for the long lifetime what is expected to be cheaper so: with r and w the prices of reading and
 * writing, a pause between the two lifetimes costs w_short − r a token, or the pings that bridge it, and the long
 * lifetime w_long − w_short once (1.15 and .75 at Anthropic). The head is expected to be read until the session ends,
 * the messages until they change. Decided anew with each request. Nothing is written for long behind a short entry: it
 * would live no longer.
 */
export function chooseLifetimes(situation: Situation, { ttl, ...options }: PlanOptions): Lifetimes {
  const { at, layout, state, deepest, pricing } = situation
  const { short, long } = pricing
  if (long === undefined || ttl === undefined || ttl === '5m') return { head: short, messages: short }
  if (ttl === '1h') return { head: long, messages: long }
  if (!pricing.sliding || (deepest !== undefined && lifetimeOf(deepest.ttl, pricing) !== long))
    return { head: short, messages: short }
  const pauses = expectPauses(passed(state, { at, layout }, pricing), options.earlier, pricing)
  const cost = (lifetime: CacheLifetime, requests: number) =>
    lifetime.write + pausesCost(lifetime, requests, pauses, pricing, options)
  const cheaper = (requests: number) => (cost(long, requests) < cost(short, requests) ? long : short)
  const head = cheaper(pauses.requests)
  return { head, messages: head === long ? cheaper(pauses.requestsToChange) : short }
}
