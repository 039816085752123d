/** The prices of a model; undefined when they are not known. */
export { knownPricing as findPrices } from '@palimpsest/prompt-caching'
