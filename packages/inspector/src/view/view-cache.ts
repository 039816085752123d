import type { CachePlan, Usage } from '@palimpsest/core'
import { type CachePricing, priceBill } from '@palimpsest/prompt-caching'
import type { ViewCache } from './session-view.ts'

/** What a planner expects of a request; null without one. */
export function plannedCache(plan: CachePlan | null, prices: CachePricing | undefined): ViewCache | null {
  if (plan === null) return null
  const { read, write5m, write1h, uncached } = plan.expected
  const usd = prices === undefined ? null : priceBill({ read, write5m, write1h, uncached }, prices).usd
  return { read, written: write5m + write1h, uncached, usd, from: 'planned' }
}

/** What the provider reported of a request; null when it does not say what it read or wrote. */
export function reportedCache(usage: Usage, prices: CachePricing | undefined): ViewCache | null {
  const { promptTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens = 0 } = usage
  if (cacheReadTokens === undefined && cacheWriteTokens === undefined) return null
  const read = cacheReadTokens ?? 0
  const written = cacheWriteTokens ?? 0
  const uncached = Math.max(0, promptTokens - read - written)
  const write1h = Math.min(written, cacheWrite1hTokens)
  const classes = { read, write5m: written - write1h, write1h, uncached }
  const usd = prices === undefined ? null : priceBill(classes, prices).usd
  return { read, written, uncached, usd, from: 'reported' }
}
