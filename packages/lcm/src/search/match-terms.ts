import { createTermFinder, type Span, type TermFinder } from './find-term.ts'
import { MAX_OCCURRENCES, type Matcher, matchTexts, type TextMatch } from './matcher.ts'
import type { QueryTerm } from './parse-query.ts'
import { SNIPPET_CHARACTERS } from './snippet.ts'

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

/** Occurrences of the rarest term around which the others are looked for. */
const ANCHORS = 50
/** Occurrences of one term around an anchor that are looked at. */
const NEAR_OCCURRENCES = 50
/** More than the character beside a part of a text, by which it is told whether a word ends there. */
const MARGIN = 2

interface Group extends Span {
  readonly terms: number
}

/**
 * The occurrences to show of a text that holds several terms: the first group that fits into a snippet with the most
 * terms, as close as they stand there. It is looked for around the term that is rarest in the text: the others are
 * anywhere in a long one.
 */
function closestGroup(text: string, finders: readonly TermFinder[], rarest: TermFinder, first: Span): Span {
  let best: Group = { ...first, terms: 1 }
  let anchor: Span | null = first
  for (let tried = 0; anchor !== null && tried < ANCHORS && best.terms < finders.length; tried++) {
    best = closestAround(anchor, spansAround(text, anchor, finders), best)
    anchor = rarest(text, anchor.end)
  }
  return { start: best.start, end: best.end }
}

type TermSpan = Span & { readonly term: number }

function spansAround(text: string, { start, end }: Span, finders: readonly TermFinder[]): TermSpan[] {
  const low = Math.max(0, start - SNIPPET_CHARACTERS - MARGIN)
  const part = text.slice(low, end + SNIPPET_CHARACTERS + MARGIN)
  const last = low + part.length === text.length ? part.length : part.length - MARGIN
  const spans: TermSpan[] = []
  for (const [term, find] of finders.entries()) {
    let seen = 0
    for (
      let span = find(part, low === 0 ? 0 : MARGIN);
      span !== null && span.end <= last && seen < NEAR_OCCURRENCES;
      span = find(part, span.end), seen++
    ) {
      spans.push({ start: low + span.start, end: low + span.end, term })
    }
  }
  return spans.sort((a, b) => a.start - b.start)
}

function closestAround(anchor: Span, spans: readonly TermSpan[], least: Group): Group {
  let best = least
  let low = 0
  for (const [high, { end }] of spans.entries()) {
    const start = () => spans[low]?.start ?? end
    const comesAgain = () => spans.slice(low + 1, high + 1).some(({ term }) => term === spans[low]?.term)
    while (low < high && (end - start() > SNIPPET_CHARACTERS || (start() < anchor.start && comesAgain())))
      low++
    if (start() > anchor.start || end < anchor.end) continue
    const terms = new Set(spans.slice(low, high + 1).map(({ term }) => term)).size
    const isCloser = terms === best.terms && terms > 1 && end - start() < best.end - best.start
    if (terms > best.terms || isCloser) best = { start: start(), end, terms }
  }
  return best
}
