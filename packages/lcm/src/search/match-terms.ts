import { closestGroup } from './closest-group.ts'
import { createTermFinder, type Span, type TermFinder } from './find-term.ts'
import { MAX_OCCURRENCES, type Matcher, matchTexts, type TextMatch } from './matcher.ts'
import type { QueryTerm } from './parse-query.ts'

export function createTermsMatcher(terms: readonly QueryTerm[]): Matcher {
  let hasSeenParts = false
  const finders = terms.map((term) =>
    createTermFinder(term, () => {
      hasSeenParts = true
    }),
  )
  return {
    hasSeenParts: () => hasSeenParts,
    kind: terms.every(({ kind }) => kind === 'substring') ? 'substring' : 'word',
    where: terms.map(({ kind, text }) => [{ kind, text }]),
    run: (texts, enough) => ({
      matches: matchTexts(texts, enough, (text) => matchAll(finders, text)),
      slow: false,
    }),
  }
}

function matchAll(finders: readonly TermFinder[], text: string): TextMatch | null {
  const firsts: Span[] = []
  for (const find of finders) {
    const first = find(text, 0)
    if (first === null) return null
    firsts.push(first)
  }
  let total = 0
  let rarest: { readonly find: TermFinder; readonly first: Span; readonly count: number } | undefined
  for (const [index, first] of firsts.entries()) {
    const find = finders[index]
    if (find === undefined) break
    let count = 0
    for (let span: Span | null = first; span !== null && count < MAX_OCCURRENCES; count++)
      span = find(text, span.end)
    total += count
    if (rarest === undefined || count < rarest.count) rarest = { find, first, count }
  }
  if (rarest === undefined) return null
  const { find, first } = rarest
  const shown = finders.length === 1 ? first : closestGroup(text, finders, find, first)
  return { count: Math.min(total, MAX_OCCURRENCES), start: shown.start, end: shown.end }
}
