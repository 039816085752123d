import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'

/**
 * The tokens of `o200k_base` by rank. A build stores them as one text (`scripts/bundle.ts`), which is read here,
 * because importing them as an array takes a tenth of a second.
 */
export const readRanks = (): typeof ranks => ranks
