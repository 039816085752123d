import type { SearchTerm } from '../store/candidate-query.ts'
import { FILLER_WORDS } from './filler-words.ts'
import { distinctTerms, MAX_TERMS, type QueryTerm, readWord } from './parse-query.ts'

/** Another reading of a query, and what it changes. */
export interface LooseTerms {
  readonly terms: readonly QueryTerm[]
  /** Words that are left out: they say how something is asked. */
  readonly ignored: readonly string[]
  /** Terms that are taken as their words: `staging-host`. */
  readonly split: readonly string[]
}

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Co}_]+/u
const COMPOUND = /^[\p{L}\p{N}_][^*]*$/u

/**
 * The terms of a query without filler words, joined words one by one, and without punctuation that stands alone. Null
 * when that is what they are already, or when nothing would be left.
 */
export function loosenTerms(terms: readonly QueryTerm[]): LooseTerms | null {
  const ignored: string[] = []
  const split: string[] = []
  const loose: QueryTerm[] = []
  for (const term of terms) {
    const words = term.quoted ? [] : wordsOf(term)
    if (words.length > 1) {
      split.push(term.text)
      loose.push(...words.map(readWord))
    } else if (isFiller(term) || (words.length === 0 && !term.quoted)) ignored.push(term.text)
    else loose.push(term)
  }
  const distinct = distinctTerms(loose)
  const isSame = ignored.length === 0 && split.length === 0
  if (isSame || distinct.length === 0 || distinct.length > MAX_TERMS) return null
  return { terms: distinct, ignored, split }
}

/** The words that punctuation joins; paths, flags and globs are one term each. */
function wordsOf({ kind, text }: SearchTerm): readonly string[] {
  const words = text.split(BETWEEN_WORDS).filter(Boolean)
  return kind === 'substring' && words.length > 1 && !COMPOUND.test(text) ? [text] : words
}

function isFiller({ kind, text }: SearchTerm): boolean {
  return kind === 'word' && FILLER_WORDS.has(text.toLowerCase())
}
