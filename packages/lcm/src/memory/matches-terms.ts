import { createTermFinder } from '../search/find-term.ts'
import type { SearchTerm } from '../store/candidate-query.ts'

/** Finds the texts that match one term of each list, exactly as a search understands it. */
export function createTermMatcher(where: readonly (readonly SearchTerm[])[]): (text: string) => boolean {
  const lists = where.map((terms) => terms.map(createTermFinder))
  return (text) => lists.every((finders) => finders.some((find) => find(text, 0) !== null))
}
