/** The prices of a model; undefined when they are not known. */
export { knownProfile as findPrices } from '@palimpsest/prompt-caching'
