import { type CacheProfile, findProfile, UnknownModelError } from '@palimpsest/prompt-caching'

/** The prices of a model; undefined when they are not known. */
export function findPrices(model: string): CacheProfile | undefined {
  try {
    return findProfile({ model })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return undefined
    throw error
  }
}
