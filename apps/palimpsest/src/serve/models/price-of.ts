import { billedUsage, type Usage } from '@palimpsest/core'
import { type CachePricing, knownPricing, PRICING_DATA, priceUsage } from '@palimpsest/prompt-caching'

export interface PaidTokens {
  readonly promptTokens: number
  readonly cachedTokens: number
  readonly writtenTokens: number
  readonly writtenLongTokens: number
  readonly completionTokens: number
}

export function priceList(): { readonly asOf: string; readonly source: string } {
  const { asOf = '', source = '' } = PRICING_DATA.find(({ provider }) => provider === 'gemini') ?? {}
  return { asOf, source }
}

export function paidTokens(reported: Usage | undefined): PaidTokens {
  const usage = reported && billedUsage(reported)
  return {
    promptTokens: usage?.promptTokens ?? 0,
    cachedTokens: usage?.cacheReadTokens ?? 0,
    writtenTokens: usage?.cacheWriteTokens ?? 0,
    writtenLongTokens: usage?.cacheWrite1hTokens ?? 0,
    completionTokens: usage?.completionTokens ?? 0,
  }
}

export function sumTokens(parts: readonly PaidTokens[]): PaidTokens {
  const sum = (count: keyof PaidTokens) => parts.reduce((total, part) => total + part[count], 0)
  return {
    promptTokens: sum('promptTokens'),
    cachedTokens: sum('cachedTokens'),
    writtenTokens: sum('writtenTokens'),
    writtenLongTokens: sum('writtenLongTokens'),
    completionTokens: sum('completionTokens'),
  }
}

export function priceOf(of: string | CachePricing, tokens: PaidTokens): number | null {
  const profile = typeof of === 'string' ? knownPricing(of) : of
  if (profile === undefined) return null
  const { promptTokens, completionTokens } = tokens
  const usage = {
    ...{ promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    ...{ cacheReadTokens: tokens.cachedTokens, cacheWriteTokens: tokens.writtenTokens },
    cacheWrite1hTokens: tokens.writtenLongTokens,
  }
  const { prompt, answer } = priceUsage(usage, profile)
  return prompt + answer
}

export const PURPOSES = ['answer', 'extraction', 'compaction'] as const

export type Purpose = (typeof PURPOSES)[number]
