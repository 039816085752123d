import { createRegexMatcher } from './match-regex.ts'
import { createTermsMatcher } from './match-terms.ts'
import type { Matcher } from './matcher.ts'
import { asSubstrings, checkQuery, parseQuery } from './parse-query.ts'
import type { SearchCursor } from './search-cursor.ts'
import type { SearchContext, SearchQuery } from './search-types.ts'

/** The matcher of a query, and the one to try when nothing at all matches. */
export interface Matchers {
  readonly matcher: Matcher
  readonly fallback?: Matcher
}

/** Reads a query. @throws InvalidOptionError */
export function createMatchers(
  { query, mode = 'text', ignoreCase = true }: SearchQuery,
  cursor: SearchCursor | undefined,
  { messageTimeLimit }: Pick<SearchContext, 'messageTimeLimit'>,
): Matchers {
  if (mode === 'regex') {
    const limit = messageTimeLimit === undefined ? {} : { timeLimit: messageTimeLimit }
    return { matcher: createRegexMatcher(query, { ignoreCase, ...limit }) }
  }
  if (mode === 'substring') {
    return { matcher: createTermsMatcher([{ kind: 'substring', text: checkQuery(query) }]) }
  }
  const terms = parseQuery(query)
  if (cursor?.substring) return { matcher: createTermsMatcher(asSubstrings(terms)) }
  const matcher = createTermsMatcher(terms)
  // A search that goes on found something as words before.
  if (cursor !== undefined || matcher.kind === 'substring') return { matcher }
  return { matcher, fallback: createTermsMatcher(asSubstrings(terms)) }
}
