import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'

/**
 * The tokens of `o200k_base` in the order of their ranks. A build has them as one text (`scripts/bundle.ts`), which is read
 * here: as an array in code they take a tenth of a second to import, also where nothing is ever counted.
 */
export const readRanks = (): typeof ranks => ranks
