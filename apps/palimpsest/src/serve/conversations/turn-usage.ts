import type { Usage } from '@palimpsest/core'
import { priceOf } from '../models/price-of.ts'
import type { TurnUsage } from './query.ts'

/** The usage of a turn's requests together; null when the provider reported nothing, as offline. */
export function turnUsage(usages: readonly Usage[], model: string): TurnUsage | null {
  if (usages.length === 0) return null
  const sum = (count: (usage: Usage) => number | undefined) =>
    usages.reduce((total, usage) => total + (count(usage) ?? 0), 0)
  const tokens = {
    promptTokens: sum(({ promptTokens }) => promptTokens),
    cachedTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
  }
  return { model, requests: usages.length, ...tokens, usd: priceOf(model, tokens) }
}
