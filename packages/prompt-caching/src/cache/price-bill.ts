import type { CacheBill } from '@palimpsest/core'
import type { CachePricing } from '../pricing/cache-pricing.ts'

const MILLION = 1_000_000

/** The factor on the price of a request of this many tokens. */
export function tierFactor(promptTokens: number, { tiers }: CachePricing): number {
  return tiers.findLast(({ above }) => promptTokens > above)?.factor ?? 1
}

/** Prices the classes of a prompt's tokens. */
export function priceBill(classes: Omit<CacheBill, 'usd'>, pricing: CachePricing): CacheBill {
  const { read, write5m, write1h, uncached } = classes
  const { short, long = short } = pricing
  const units = read * pricing.read + write5m * short.write + write1h * long.write + uncached
  const factor = tierFactor(read + write5m + write1h + uncached, pricing)
  return { read, write5m, write1h, uncached, usd: (units * pricing.input * factor) / MILLION }
}
