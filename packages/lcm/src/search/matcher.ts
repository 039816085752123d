import type { SearchTerm } from '../store/candidate-query.ts'

/** Where a text matches. Offsets count UTF-16 code units, as strings do. */
export interface TextMatch {
  /** Occurrences in the text, at most `MAX_OCCURRENCES`. */
  readonly count: number
  /** The occurrence to show, or the closest group of occurrences of several terms. `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/** Occurrences that are counted in one text. More is no use to a reader. */
export const MAX_OCCURRENCES = 1_000

/** The result of a matcher for a run of texts. */
export interface MatchedTexts {
  /** One entry for each text that was looked at, from the first on; null for no match. */
  readonly matches: readonly (TextMatch | null)[]
  /** The next text took longer than a text may take. */
  readonly slow: boolean
}

/** Decides which texts match: one definition for all stores. */
export interface Matcher {
  /** The way in which a text is matched: the words of the question, any part of a text, or a pattern. */
  readonly kind: 'word' | 'substring' | 'regex'
  /** Terms that every matching text contains: an AND of ORs that lets a store leave out what cannot match. */
  readonly where: readonly (readonly SearchTerm[])[]
  /** True when a text that was looked at has a term only as a part of something longer. Default: not known. */
  readonly hasSeenParts?: () => boolean
  /** Looks at texts in order until `enough` of them matched. */
  run(texts: readonly string[], enough: number): MatchedTexts
}

/** Adds the matches of texts to a list, in order, until `enough` of them matched. What was done counts when it is interrupted. */
export function matchTexts(
  texts: readonly string[],
  enough: number,
  match: (text: string) => TextMatch | null,
  matches: (TextMatch | null)[] = [],
): readonly (TextMatch | null)[] {
  let found = 0
  for (const text of texts) {
    if (found === enough) break
    const one = match(text)
    if (one !== null) found++
    matches.push(one)
  }
  return matches
}
