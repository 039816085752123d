import { knownPricing, PRICING_DATA, priceBill } from '@palimpsest/prompt-caching'

/** Tokens that were paid for. */
export interface PaidTokens {
  /** All of the prompt, cached ones included. */
  readonly promptTokens: number
  /** Part of the prompt that was read from a cache. */
  readonly cachedTokens: number
  /** The answer, reasoning included. */
  readonly completionTokens: number
}

const GEMINI = PRICING_DATA.find(({ provider }) => provider === 'gemini')
const MILLION = 1_000_000

/** When the prices of the service's models were read, and where. */
export const PRICE_LIST = { asOf: GEMINI?.asOf ?? '', source: GEMINI?.source ?? '' } as const

/** The price of tokens, in US dollars; null for a model without a known price. `model`: `gemini:<name>`. */
export function priceOf(model: string, tokens: PaidTokens): number | null {
  const profile = knownPricing(model)
  if (profile === undefined) return null
  const read = Math.min(tokens.cachedTokens, tokens.promptTokens)
  const uncached = tokens.promptTokens - read
  const prompt = priceBill({ read, write5m: 0, write1h: 0, uncached }, profile)
  return prompt.usd + (tokens.completionTokens * profile.output) / MILLION
}
