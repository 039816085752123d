import {
  type CachePricing,
  findPricing,
  PRICING_DATA,
  type PricingData,
  UnknownModelError,
} from '@palimpsest/prompt-caching'

/** The profile of a model as hosts name it, `gemini:<name>` included; undefined when its prices are not known. */
export function knownProfile(model: string, data: PricingData = PRICING_DATA): CachePricing | undefined {
  try {
    return findPricing({ model, data })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return undefined
    throw error
  }
}
