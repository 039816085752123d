import { type IndexEntry, joinRanges } from './left-out-index.ts'
import type { Relatedness } from './relatedness.ts'
import type { Segment } from './split-segments.ts'

/** Words of an entry. */
const ENTRY_WORDS = 8
/** A word that weighs less than this share of the best one tells nothing beside it. */
const LEAST_SHARE = 0.2
/** The user's words tell more about a turn than the answer. */
const QUESTION_WEIGHT = 2
/** Paths and names with dots, digits or capitals inside tell more than words. */
const IDENTIFIER_WEIGHT = 2
const IDENTIFIER = /[._/:@$\-\p{N}]|\p{Ll}\p{Lu}/u
/** Characters from which a word in Latin letters has its full weight: shorter ones are in every text. */
const FULL_LENGTH = 8

/** The index entry for segments of one turn: which messages they are, and the words that tell most about them. */
export function describeSegments(
  segments: readonly Segment[],
  numbers: readonly number[],
  { rarity }: Relatedness,
): IndexEntry {
  const weights = new Map<string, number>()
  for (const { terms, isQuestion } of segments) {
    for (const [term, { count, spelling }] of terms) {
      const weight = wordWeight(spelling) * (1 + Math.log(count)) * rarity(term)
      weights.set(spelling, (weights.get(spelling) ?? 0) + weight * (isQuestion ? QUESTION_WEIGHT : 1))
    }
  }
  const ranked = [...weights].sort(([, a], [, b]) => b - a)
  const least = (ranked[0]?.[1] ?? 0) * LEAST_SHARE
  const words: string[] = []
  for (const [word, weight] of ranked) {
    if (words.length === ENTRY_WORDS || weight <= least) break
    if (!words.some((other) => overlap(other, word))) words.push(word)
  }
  const ranges = segments.map(({ start, end }) => ({ from: numbers[start] ?? 0, to: numbers[end - 1] ?? 0 }))
  return { ranges: joinRanges(ranges), words }
}

/** The weight of a word by its form; 0 for bare numbers. */
function wordWeight(word: string): number {
  if (!/\p{L}/u.test(word)) return 0
  const length = /[a-z]/i.test(word) ? Math.min(1, word.length / FULL_LENGTH) : 1
  return IDENTIFIER.test(word) ? length * IDENTIFIER_WEIGHT : length
}

/** True when one word says what the other says: a path and its parts, two pairs of characters of one word. */
function overlap(a: string, b: string): boolean {
  if (a.includes(b) || b.includes(a)) return true
  return a.length === 2 && b.length === 2 && (a[0] === b[1] || a[1] === b[0])
}
