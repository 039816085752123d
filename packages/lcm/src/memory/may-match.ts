import type { SessionMatch } from '../store/candidate-query.ts'
import { messageCandidates, summaryCandidates } from './read-candidates.ts'
import type { SessionState } from './session-state.ts'

/** Whether something in a session matches, replaced messages and what it was forked from included. */
export function mayMatch(state: SessionState, { where, among }: SessionMatch): boolean {
  const query = { where, order: 'newest', limit: 1, includeReplaced: true } as const
  const has = (rows: Iterator<unknown>) => rows.next().done !== true
  return (
    (among !== 'summaries' && has(messageCandidates(state, query))) ||
    (among !== 'messages' && has(summaryCandidates(state, query)))
  )
}
