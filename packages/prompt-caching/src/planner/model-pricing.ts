import type { CacheRepair } from '@palimpsest/core'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** What is known of the model that a conversation is held with. */
export interface ModelPricing {
  readonly pricing: CachePricing
  /** Empty for a model that is known. */
  readonly repairs: readonly CacheRepair[]
}

/**
 * The pricing of a model that is changed to. For one without a pricing nothing is marked, and prices stay those of the
 * model before, as the nearest guess that there is.
 */
export function modelPricing(
  model: string,
  before: CachePricing,
  pricingOf: (model: string) => CachePricing,
): ModelPricing {
  try {
    return { pricing: pricingOf(model), repairs: [] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'this model has no pricing'
    const message = `${reason}. Nothing is marked, and prices are those of ${before.model}.`
    return {
      pricing: { ...before, matching: 'exact', lookback: 1, maxBreakpoints: 0 },
      repairs: [{ rule: 'unknown-model', message }],
    }
  }
}
