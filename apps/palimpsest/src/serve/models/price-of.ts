import prices from './gemini-prices.json' with { type: 'json' }

/** Tokens that were paid for. */
export interface PaidTokens {
  /** All of the prompt, cached ones included. */
  readonly promptTokens: number
  /** Part of the prompt that was read from a cache. */
  readonly cachedTokens: number
  /** The answer, reasoning included. */
  readonly completionTokens: number
}

interface Price {
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** When the prices were read, and where. */
export const PRICE_LIST = { asOf: prices.asOf, source: prices.source } as const

const MODELS = new Map<string, Price>(Object.entries(prices.models))
const MILLION = 1_000_000

/** What tokens of a model cost, in US dollars; null for a model whose price is not known. `model`: `gemini:<name>`. */
export function priceOf(model: string, tokens: PaidTokens): number | null {
  const price = MODELS.get(model.slice(model.indexOf(':') + 1))
  if (price === undefined) return null
  const fresh = Math.max(0, tokens.promptTokens - tokens.cachedTokens)
  const { input, cached, output } = price
  return (fresh * input + tokens.cachedTokens * cached + tokens.completionTokens * output) / MILLION
}
