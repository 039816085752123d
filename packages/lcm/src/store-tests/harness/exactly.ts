import { createTermMatcher } from '../../search/find-term.ts'
import type { CandidateQuery } from '../../store/candidate-query.ts'

/** The rows that really match, of those that may. */
export function exactly<T extends { readonly text: string }>(
  rows: readonly T[],
  { where }: Pick<CandidateQuery, 'where'>,
): T[] {
  const matches = createTermMatcher(where)
  return rows.filter(({ text }) => matches(text))
}
