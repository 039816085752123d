import type { Span, TermFinder } from './find-term.ts'

/** Occurrences of a term in a message that are counted from its beginning on. */
const COUNTED_OCCURRENCES = 500
/** Passages behind them that are looked at, because a rarer term stands there. */
const LATER_PASSAGES = 100

/**
 * Counts each term in each passage of a text, by the numbers of passages. A term that fills the text is
 * counted at its beginning, and wherever one stands that does not.
 */
export function countPerPassage(
  text: string,
  passages: readonly Span[],
  finders: readonly TermFinder[],
): readonly ReadonlyMap<number, number>[] {
  const counted = finders.map((find) => countFromStart(text, passages, find))
  const rare = new Set<number>()
  for (const { counts, cut } of counted) {
    if (cut !== null) continue
    for (const passage of counts.keys()) if (rare.size < LATER_PASSAGES) rare.add(passage)
  }
  for (const [index, { counts, cut }] of counted.entries()) {
    const find = finders[index]
    if (cut === null || find === undefined) continue
    for (const passage of rare) {
      const span = passages[passage]
      if (passage < cut || span === undefined) continue
      const count = countWithin(text, span, find)
      if (count > 0) counts.set(passage, count)
    }
  }
  return counted.map(({ counts }) => counts)
}

/** `cut`: the passage in which counting ended; null when it went through the whole text. */
function countFromStart(text: string, passages: readonly Span[], find: TermFinder) {
  const counts = new Map<number, number>()
  let passage = 0
  let seen = 0
  for (let at = find(text, 0); at !== null; at = find(text, at.end)) {
    if (seen++ === COUNTED_OCCURRENCES) return { counts, cut: passage }
    while (at.start >= (passages[passage]?.end ?? Number.POSITIVE_INFINITY)) passage++
    counts.set(passage, (counts.get(passage) ?? 0) + 1)
  }
  return { counts, cut: null }
}

/** Occurrences that begin in a passage. */
function countWithin(text: string, { start, end }: Span, find: TermFinder): number {
  // A little more than the passage, so that the ends of words at its edges are seen.
  const before = Math.max(0, start - 2)
  const part = text.slice(before, end + 200)
  let count = 0
  for (let at = find(part, start - before); at !== null && at.start < end - before; at = find(part, at.end))
    count++
  return count
}
