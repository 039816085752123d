import type { SearchTerm } from '../store/candidate-query.ts'
import { createTermFinder, type Span, type TermFinder } from './find-term.ts'
import { MAX_OCCURRENCES, type Matcher, type TextMatch } from './matcher.ts'
import { SNIPPET_CHARACTERS } from './snippet.ts'

/** Occurrences of each term that are looked at to find where the terms stand closest together. */
const GROUPED_OCCURRENCES = 50

/** Matches texts that contain all terms. */
export function createTermsMatcher(terms: readonly SearchTerm[]): Matcher {
  const finders = terms.map(createTermFinder)
  return {
    kind: terms.every(({ kind }) => kind === 'substring') ? 'substring' : 'word',
    where: terms.map((term) => [term]),
    run(texts, enough) {
      const matches: (TextMatch | null)[] = []
      let found = 0
      for (const text of texts) {
        if (found === enough) break
        const match = matchAll(finders, text)
        if (match !== null) found++
        matches.push(match)
      }
      return { matches, slow: false }
    },
  }
}

function matchAll(finders: readonly TermFinder[], text: string): TextMatch | null {
  const firsts: Span[] = []
  for (const find of finders) {
    const first = find(text, 0)
    if (first === null) return null
    firsts.push(first)
  }
  let count = 0
  const spans: (Span & { readonly term: number })[] = []
  for (const [term, find] of finders.entries()) {
    let seen = 0
    for (
      let span = firsts[term] ?? null;
      span !== null && count < MAX_OCCURRENCES;
      span = find(text, span.end)
    ) {
      if (seen++ < GROUPED_OCCURRENCES) spans.push({ ...span, term })
      count++
    }
  }
  return { count, ...closestGroup(spans) }
}

/** The first group of occurrences that fits into a snippet and holds the most terms. */
function closestGroup(spans: (Span & { readonly term: number })[]): Span {
  spans.sort((a, b) => a.start - b.start)
  let best: Span & { readonly terms: number } = { start: 0, end: 0, terms: 0 }
  let low = 0
  for (const [high, { end }] of spans.entries()) {
    while (end - (spans[low]?.start ?? end) > SNIPPET_CHARACTERS && low < high) low++
    const group = spans.slice(low, high + 1)
    const terms = new Set(group.map(({ term }) => term)).size
    if (terms > best.terms) best = { start: group[0]?.start ?? 0, end, terms }
  }
  return { start: best.start, end: best.end }
}
