import { billedUsage, type CacheBill, type Usage } from '@palimpsest/core'
import { priceBill } from '../cache/price-bill.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

const MILLION = 1_000_000

/** The tokens of a reported prompt by class. Counts that exceed the prompt are cut. */
export function promptClasses(usage: Usage): Omit<CacheBill, 'usd'> {
  const { promptTokens, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage
  const read = Math.min(cacheReadTokens, promptTokens)
  const written = Math.min(cacheWriteTokens, promptTokens - read)
  const write1h = Math.min(cacheWrite1hTokens, written)
  return { read, write5m: written - write1h, write1h, uncached: promptTokens - read - written }
}

/** The price of a reported request, in US dollars: prompt, answer, and other billed tokens. */
export function priceUsage(
  reported: Usage,
  pricing: CachePricing,
): { readonly prompt: number; readonly answer: number } {
  const usage = billedUsage(reported)
  return {
    prompt: priceBill(promptClasses(usage), pricing).usd,
    answer: (usage.completionTokens * pricing.output) / MILLION,
  }
}
