import type { CacheBill, CachePlan, Usage } from '@palimpsest/core'
import { type CachePricing, priceBill, promptClasses } from '@palimpsest/prompt-caching'
import type { ViewCache } from './session-view.ts'

export function plannedCache(plan: CachePlan | null, prices: CachePricing | undefined): ViewCache | null {
  return plan === null ? null : viewCache(plan.expected, prices)
}

export function reportedCache(usage: Usage, prices: CachePricing | undefined): ViewCache | null {
  if (usage.cacheReadTokens === undefined && usage.cacheWriteTokens === undefined) return null
  return viewCache(promptClasses(usage), prices)
}

function viewCache(classes: Omit<CacheBill, 'usd'>, prices: CachePricing | undefined): ViewCache {
  const { read, write5m, write1h, uncached } = classes
  const usd = prices === undefined ? null : priceBill(classes, prices).usd
  return { read, written: write5m + write1h, uncached, usd }
}
