import { indexOfName, wordsOf } from './whole-word.ts'

/** Words of a message on either side of an identifier that a searcher goes by. */
export const CONTEXT_WORDS = 12
/** Words of a query. */
const QUERY_WORDS = 2
/** Characters on either side in which the words are looked for, so that data without words costs nothing. */
const WITHIN_CHARACTERS = 2_000
const LEAST_CHARACTERS = 3

/**
 * What somebody would search by who remembers what an identifier was about and not the identifier: the words around the place
 * where a text first uses it, none of them a word of the identifier, rarest first, two a query.
 *
 * @param count In how many messages before this one a word stands, in small letters; words in none are left out.
 * @param most Queries at most.
 */
export function contextQueries(
  {
    text,
    identifier,
    count,
  }: { readonly text: string; readonly identifier: string; readonly count: (word: string) => number },
  most: number,
): string[] {
  const at = indexOfName(text, identifier)
  const end = at + identifier.length
  const before = wordsIn(text.slice(Math.max(0, at - WITHIN_CHARACTERS), at)).slice(-CONTEXT_WORDS)
  const behind = wordsIn(text.slice(end, end + WITHIN_CHARACTERS)).slice(0, CONTEXT_WORDS)
  const own = new Set(wordsIn(identifier))
  const words = [...new Set([...before, ...behind])].filter(
    (word) => word.length >= LEAST_CHARACTERS && !own.has(word) && count(word) > 0,
  )
  const rarest = words.sort((a, b) => count(a) - count(b)).slice(0, most * QUERY_WORDS)
  return Array.from({ length: Math.ceil(rarest.length / QUERY_WORDS) }, (_, index) =>
    rarest.slice(index * QUERY_WORDS, (index + 1) * QUERY_WORDS).join(' '),
  )
}

/** The words of a text in small letters. */
export function wordsIn(text: string): string[] {
  return Array.from(wordsOf(text), ([word]) => word.toLowerCase())
}
