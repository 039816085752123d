import { type CacheMatching, type CachePricing, findPricing } from '@palimpsest/prompt-caching'

/** Read prices of a tenth and a twentieth of the input price. */
export const COST_MODELS = ['claude-opus-5', 'claude-sonnet-5-5'] as const

/** The model whose prices all prompts and summaries have: reads at a twentieth of input. */
export const USUAL_MODEL = 'claude-sonnet-5-5'

export const MATCHING_MODES = ['collapsed', 'per-block', 'exact'] as const satisfies readonly CacheMatching[]

export type MatchingMode = (typeof MATCHING_MODES)[number]

export function inMode(profile: CachePricing, matching: MatchingMode): CachePricing {
  return { ...profile, matching, lookback: matching === 'exact' ? 1 : profile.lookback }
}

/** A model's profile with its short lifetime alone: what a strategy that uses no other is to be compared on. */
export function shortOnly(model: string): CachePricing {
  const { long: _, ...profile } = findPricing({ model })
  return profile
}
