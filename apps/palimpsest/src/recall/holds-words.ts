import { readFile } from 'node:fs/promises'

/** The words of a query that stand in a session's JSON as they are. */
export function plainWords(query: string): readonly string[] {
  return [...new Set(query.match(/[A-Za-z0-9_]{3,}/g) ?? [])]
}

/**
 * Whether the bytes of a file hold every word, in the query's case or in one that words usually have. It only says which
 * files are worth reading first: the search itself reads them.
 */
export async function holdsWords(path: string, words: readonly string[]): Promise<boolean> {
  const bytes = await readFile(path).catch(() => undefined)
  if (bytes === undefined) return false
  return words.every((word) => spellings(word).some((spelling) => bytes.includes(spelling)))
}

function spellings(word: string): readonly string[] {
  const lower = word.toLowerCase()
  return [...new Set([word, lower, lower[0]?.toUpperCase() + lower.slice(1), word.toUpperCase()])]
}
