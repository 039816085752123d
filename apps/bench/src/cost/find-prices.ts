import { type CachePricing, findPricing, UnknownModelError } from '@palimpsest/prompt-caching'

/** The prices of a model; undefined when they are not known. */
export function findPrices(model: string): CachePricing | undefined {
  try {
    return findPricing({ model })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return undefined
    throw error
  }
}
