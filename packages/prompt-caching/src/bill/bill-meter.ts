import type { CacheBill } from '@palimpsest/core'
import { EMPTY_CACHE } from '../cache/cache-state.ts'
import { priceBill } from '../cache/price-bill.ts'
import { type CacheStrategy, type PlanOptions, type PlanRequest, planRequest } from '../plan/plan-request.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

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
  /** The share of the tokens that `sticky` reads from the cache, from 0 to 1. */
  readonly cacheReadShare: number
}

export interface BillMeter {
  /** Takes the next request. Returns what it costs with `sticky`. */
  add(request: PlanRequest): CacheBill
  readonly bill: SessionBill
}

/** Prices requests with both strategies side by side as they come. */
export function createBillMeter(
  pricing: CachePricing,
  { ttl = '5m' }: Pick<PlanOptions, 'ttl'> = {},
): BillMeter {
  const total = { requests: 0, tokens: 0, uncached: 0, systemAnd3: 0, sticky: 0, read: 0 }
  const states = { sticky: EMPTY_CACHE, system_and_3: EMPTY_CACHE }
  const price = (request: PlanRequest, strategy: Exclude<CacheStrategy, 'off'>): CacheBill => {
    const { bill, state } = planRequest(request, states[strategy], pricing, { strategy, ttl })
    states[strategy] = state
    return bill
  }
  return {
    add(request) {
      const { tokens } = request.layout
      const bill = price(request, 'sticky')
      total.requests++
      total.tokens += tokens
      total.uncached += priceBill({ read: 0, write5m: 0, write1h: 0, uncached: tokens }, pricing).usd
      total.systemAnd3 += price(request, 'system_and_3').usd
      total.sticky += bill.usd
      total.read += bill.read
      return bill
    },
    get bill() {
      const { read, ...bill } = total
      return { ...bill, cacheReadShare: bill.tokens === 0 ? 0 : read / bill.tokens }
    },
  }
}
