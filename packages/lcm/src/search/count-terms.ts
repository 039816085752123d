import type { SearchTerm } from '../store/candidate-query.ts'
import { createTermFinder } from './find-term.ts'
import { type Matcher, matchTexts } from './matcher.ts'
import { type Scan, scanCandidates } from './scan-candidates.ts'
import type { TermCount } from './search-types.ts'

/** Rows with a term that are counted. More of them say no more. */
const COUNTED_ROWS = 100
/** Terms that are counted: the first ones. */
const COUNTED_TERMS = 12

/** In how many rows each term of a query stands, as a word or else as a part of one. Ends at the deadline. */
export async function countTerms<R extends { readonly text: string }>(
  terms: readonly SearchTerm[],
  scan: Omit<Scan<R>, 'matcher' | 'wanted'>,
): Promise<readonly TermCount[]> {
  const count = async (term: SearchTerm) => {
    const find = createTermFinder(term)
    // Its other occurrences in a message are not asked for.
    const isThere = (text: string) => {
      const span = find(text, 0)
      return span && { ...span, count: 1 }
    }
    const matcher: Matcher = {
      kind: 'word',
      where: [[term]],
      run: (texts, enough) => ({ matches: matchTexts(texts, enough, isThere), slow: false }),
    }
    return (await scanCandidates({ ...scan, matcher, wanted: COUNTED_ROWS })).found.length
  }
  const counts: TermCount[] = []
  for (const term of terms.slice(0, COUNTED_TERMS)) {
    if (scan.clock.now() >= scan.deadline) break
    let found = await count(term)
    if (found === 0 && term.kind !== 'substring') found = await count({ ...term, kind: 'substring' })
    const shown = term.kind === 'prefix' ? `${term.text}*` : term.text
    counts.push({ term: shown, count: found, isAtLeast: found === COUNTED_ROWS })
  }
  return counts
}
