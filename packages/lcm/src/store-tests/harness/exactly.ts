import { createTermFinder } from '../../search/find-term.ts'
import type { CandidateQuery } from '../../store/candidate-query.ts'

/** The rows that really match, of those that may. */
export function exactly<T extends { readonly text: string }>(
  rows: readonly T[],
  { where }: Pick<CandidateQuery, 'where'>,
): T[] {
  const lists = where.map((terms) => terms.map((term) => createTermFinder(term)))
  return rows.filter(({ text }) => lists.every((finders) => finders.some((find) => find(text, 0) !== null)))
}
