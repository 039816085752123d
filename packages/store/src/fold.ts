import type { SearchTerm } from './types.ts'

/** Letters that have the same upper case as another one, and are not made that one by `toLowerCase`. */
const VARIANTS: Readonly<Record<string, string>> = {
  '\u00b5': 'μ',
  '\u017f': 's',
  '\u03c2': 'σ',
  '\u03d0': 'β',
  '\u03d1': 'θ',
  '\u03d5': 'φ',
  '\u03d6': 'π',
  '\u03f0': 'κ',
  '\u03f1': 'ρ',
  '\u03f5': 'ε',
  '\u1e9b': 'ṡ',
  '\u1fbe': 'ι',
}
const VARIANT = new RegExp(`[${Object.keys(VARIANTS).join('')}]`, 'g')

/** A text in one case: two texts that differ only in case are the same one. */
export function fold(text: string): string {
  return text.toLowerCase().replace(VARIANT, (letter) => VARIANTS[letter] ?? letter)
}

/** Characters that an index of trigrams can be asked for at least. */
const LEAST = 3

/**
 * The lists of terms that an index of trigrams can tell, folded. One with a shorter term is left out: the answer is larger then
 * than it needs to be.
 */
export function indexedTerms(where: readonly (readonly SearchTerm[])[]): string[][] {
  return where
    .map((terms) => terms.map(({ text }) => fold(text)))
    .filter((terms) => terms.length > 0 && terms.every((text) => [...text].length >= LEAST))
}
