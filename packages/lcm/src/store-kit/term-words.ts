import type { SearchTerm } from '../store/candidate-query.ts'
import { foldText, wordText } from './fold-text.ts'

/** A word that a text with the term must hold, in the form that is indexed; `open`: a word that begins with it. */
export interface TermWord {
  readonly word: string
  readonly open: boolean
}

/** All words that a text with the term must hold; null when words cannot tell. */
export function termWords({ kind, text }: SearchTerm): readonly TermWord[] | null {
  if (kind === 'substring') return null
  const words = wordText(text).split(' ').filter(Boolean)
  // A prefix that ends in a separator ends with a whole word.
  const isOpen = kind === 'prefix' && !/[^\p{L}\p{Nd}_]$/u.test(foldText(text))
  return words.map((word, index) => ({ word, open: isOpen && index === words.length - 1 }))
}
