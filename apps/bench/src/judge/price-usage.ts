import type { Usage } from '@palimpsest/core'
import { type CachePricing, priceBill } from '@palimpsest/prompt-caching'

/** What a request cost, in US dollars. The lifetime of what it wrote to a cache is the short one unless it is reported. */
export function priceUsage(usage: Usage, prices: CachePricing): number {
  const { promptTokens, completionTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const write1h = Math.min(cacheWriteTokens, usage.cacheWrite1hTokens ?? 0)
  const { usd } = priceBill(
    {
      read: cacheReadTokens,
      write5m: cacheWriteTokens - write1h,
      write1h,
      uncached: Math.max(0, promptTokens - cacheReadTokens - cacheWriteTokens),
    },
    prices,
  )
  return usd + (completionTokens * prices.output) / 1_000_000
}
