import { type CompactionForecast, type CompactionQuote, InvalidOptionError } from '@palimpsest/core'
import { tierFactor } from '../cache/price-bill.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** Prices of the model that writes the summary, in US dollars for a million tokens. */
export interface SummarizerPrice {
  readonly input: number
  readonly output: number
}

export interface QuoteContext {
  readonly pricing: CachePricing
  /** Whether the provider still holds the prompt as it is before the compaction. */
  readonly isWarm: boolean
  /** Requests of the session so far. */
  readonly requests: number
  /**
   * Prices of the model that writes the summary, from the replaced messages alone. Default: the session's own model, in
   * one more request that begins with the whole prompt while the cache is warm, and from what is replaced alone when it
   * is cold.
   */
  readonly summarizer?: SummarizerPrice
}

/** Sizes in tokens: P stays as it is, M is replaced by s, K stands behind it and is kept word for word. */
interface Sizes {
  readonly P: number
  readonly M: number
  readonly s: number
  readonly K: number
}

/**
 * The one-time cost of a compaction and its savings with each later request, in US dollars.
 *
 * Once: the summary, and the difference that the compaction makes to the next request. With a warm cache that is
 * `call + (w − r)·K + w·s − r·M`, because P is still read and K must be written again; with a cold one
 * `call + w·s − w·M`, because everything is written anyway. Afterwards each request saves `r·(M − s)`. Here w is the
 * short lifetime's price of writing and r that of reading; what prompts of a higher tier cost is counted.
 *
 * @throws InvalidOptionError for a number that is negative, not finite or beyond 2^53; its `path` names the field
 */
export function quoteCompaction(forecast: CompactionForecast, context: QuoteContext): CompactionQuote {
  checkNumbers(forecast, context)
  const { keptTokens: P, replacedTokens: M, summaryTokens: s, tailTokens: K } = forecast
  const { requestsLeft = context.requests } = forecast
  const { isWarm } = context
  const sizes = { P, M, s, K }
  const quote = price(sizes, context, isWarm)
  const pays = (breakEven: number) => breakEven === 0 || requestsLeft > breakEven
  const verdict = pays(quote.breakEven)
    ? 'now'
    : isWarm && pays(price(sizes, context, false).breakEven)
      ? 'at-next-pause'
      : 'not-for-money'
  return { verdict, ...quote, isWarm }
}

function price({ P, M, s, K }: Sizes, { pricing, summarizer }: QuoteContext, isWarm: boolean) {
  const { read, short, input, output } = pricing
  const dollars = (tokens: number, multiple: number, prompt: number) =>
    (tokens * multiple * tierFactor(prompt, pricing) * input) / 1_000_000
  const before = P + M + K
  const after = P + s + K
  const { input: aux, output: auxOutput } = summarizer ?? pricing
  const call =
    summarizer === undefined && isWarm
      ? dollars(before, read, before) + (output * s * tierFactor(before, pricing)) / 1_000_000
      : (aux * M + auxOutput * s) / 1_000_000
  const nextBefore = dollars(before, isWarm ? read : short.write, before)
  const nextAfter = isWarm
    ? dollars(P, read, after) + dollars(s + K, short.write, after)
    : dollars(after, short.write, after)
  const oneTimeUsd = call + nextAfter - nextBefore
  const perRequestUsd = dollars(before, read, before) - dollars(after, read, after)
  return { oneTimeUsd, perRequestUsd, breakEven: M <= s ? Infinity : breakEvenOf(oneTimeUsd, perRequestUsd) }
}

function breakEvenOf(oneTime: number, perRequest: number): number {
  if (oneTime <= 0) return 0
  return perRequest > 0 ? oneTime / perRequest : Infinity
}

function checkNumbers(forecast: CompactionForecast, { requests, summarizer }: QuoteContext): void {
  const numbers: Record<string, unknown> = {
    keptTokens: forecast.keptTokens,
    replacedTokens: forecast.replacedTokens,
    summaryTokens: forecast.summaryTokens,
    tailTokens: forecast.tailTokens,
    ...(forecast.requestsLeft !== undefined && { requestsLeft: forecast.requestsLeft }),
    requests,
    ...(summarizer !== undefined && {
      'summarizer.input': summarizer.input,
      'summarizer.output': summarizer.output,
    }),
  }
  for (const [name, value] of Object.entries(numbers))
    if (!(typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER))
      throw new InvalidOptionError(name, `${name} must be a number from 0 to ${Number.MAX_SAFE_INTEGER}`)
}
