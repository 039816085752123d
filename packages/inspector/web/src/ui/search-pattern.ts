import type { Route } from '../view-props.ts'

export interface SearchTerms {
  readonly query: string
  readonly wholeWords: boolean
}

/** The search that an address names, and the other way round. */
export const termsOf = ({ query = '', words }: Pick<Route, 'query' | 'words'>): SearchTerms => ({
  query,
  wholeWords: words === 'whole',
})

export const termsRoute = ({ query, wholeWords }: SearchTerms) => ({
  query: query === '' ? undefined : query,
  words: wholeWords ? 'whole' : undefined,
})

const wordCharacter = /[\p{L}\p{N}_]/u

/** Case is folded by the pattern, not by changing the text: offsets stay those of the text. Null for an empty search. */
export function searchPattern({ query, wholeWords }: SearchTerms): RegExp | null {
  if (query.trim() === '') return null
  const letters = query.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')
  if (!wholeWords) return new RegExp(letters, 'giu')
  const characters = [...query]
  // A bound behind the letters costs less than one before them, where it would be tried at every place.
  const before = wordCharacter.test(characters[0] ?? '') ? `(?<![\\p{L}\\p{N}_]${letters})` : ''
  const after = wordCharacter.test(characters.at(-1) ?? '') ? '(?![\\p{L}\\p{N}_])' : ''
  return new RegExp(`${letters}${before}${after}`, 'giu')
}

export function isFound(text: string, pattern: RegExp | null): boolean {
  if (pattern === null) return false
  pattern.lastIndex = 0
  return pattern.test(text)
}
