import type { CacheBill } from '@palimpsest/core'
import { type CacheState, EMPTY_CACHE } from '../cache/cache-state.ts'
import { priceBill } from '../cache/price-bill.ts'
import { planRequest } from '../plan/plan-breakpoints.ts'
import type { CacheStrategy, PlanOptions, PlanRequest } from '../plan/plan-options.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { createLowerBound } from '../simulate/lower-bound.ts'

/** The cost of a session's prompts with each strategy, in US dollars. Answers are not included. */
export interface SessionBill {
  readonly requests: number
  /** All prompts together, in tokens. */
  readonly tokens: number
  /** The prompts without a cache, in US dollars. */
  readonly uncached: number
  /** With breakpoints at the system prompt and the last three messages, in US dollars. */
  readonly systemAnd3: number
  /**
   * With breakpoints that are remembered, in US dollars. Where the provider caches by itself there are no breakpoints,
   * and this and `systemAnd3` are what it charges.
   */
  readonly sticky: number
  /**
   * The least that the same requests can cost, wherever breakpoints stand, with pings, and with knowledge of all pauses
   * and of the end, in US dollars.
   */
  readonly bound: number
  /** `sticky` to `bound`; 1 when nothing was sent. */
  readonly placementRatio: number
  /** The share of the tokens that `sticky` reads from the cache, from 0 to 1. */
  readonly cacheReadShare: number
}

export interface BillMeter {
  /** Takes the next request. Returns what it costs with `sticky`. */
  add(request: PlanRequest): CacheBill
  readonly bill: SessionBill
}

/** Prices requests with several strategies side by side as they come, and the lower bound with them. */
export function createBillMeter(pricing: CachePricing, options: Pick<PlanOptions, 'ttl'> = {}): BillMeter {
  const sticky = createTab(pricing, { ...options, strategy: 'sticky' })
  const systemAnd3 = createTab(pricing, { ...options, strategy: 'system_and_3' })
  const bound = createLowerBound(pricing)
  let requests = 0
  let tokens = 0
  let uncached = 0
  let read = 0

  return {
    add(request) {
      const { layout, at } = request
      const size = layout.tokens
      requests++
      tokens += size
      uncached += priceBill({ read: 0, write5m: 0, write1h: 0, uncached: size }, pricing).usd
      bound.add({ layout, at })
      systemAnd3.add(request)
      const bill = sticky.add(request)
      read += bill.read
      return bill
    },
    get bill() {
      return {
        requests,
        tokens,
        uncached,
        systemAnd3: systemAnd3.usd,
        sticky: sticky.usd,
        bound: bound.usd,
        placementRatio: bound.usd === 0 ? 1 : sticky.usd / bound.usd,
        cacheReadShare: tokens === 0 ? 0 : read / tokens,
      }
    },
  }
}

function createTab(pricing: CachePricing, options: PlanOptions & { readonly strategy: CacheStrategy }) {
  let state: CacheState = EMPTY_CACHE
  let usd = 0
  return {
    add(request: PlanRequest): CacheBill {
      const { plan, state: after } = planRequest(request, state, pricing, options)
      state = after
      usd += plan.expected.usd
      return plan.expected
    },
    get usd() {
      return usd
    },
  }
}
