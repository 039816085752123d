import { createTermMatcher } from '../search/find-term.ts'
import type {
  CandidateQuery,
  MessageCandidate,
  SessionMatch,
  SummaryCandidate,
} from '../store/candidate-query.ts'
import { messagesOf, numbersBetween, type SessionState, summaryAt } from './session-state.ts'

/** Messages that may match, one by one. A forgotten one is left out: there is nothing in it to find. */
export function* messageCandidates(state: SessionState, query: CandidateQuery): Generator<MessageCandidate> {
  const matches = createTermMatcher(query.where)
  for (const { row, replaced } of messagesOf(state, query)) {
    const { seq, role, at, text } = row
    if (row.forgotten === undefined && matches(text)) yield { seq, role, at, text, replaced }
  }
}

/** Summaries that may match, one by one. The bounds are summary numbers. */
export function* summaryCandidates(state: SessionState, query: CandidateQuery): Generator<SummaryCandidate> {
  const matches = createTermMatcher(query.where)
  const first = Math.max(query.first ?? 1, 1)
  const end = Math.min(query.last ?? Number.POSITIVE_INFINITY, state.session.nextSummary - 1)
  for (const number of numbersBetween(first, end, query.order)) {
    const node = summaryAt(state, number)
    if (node === undefined || node.forgotten !== undefined || !matches(node.text)) continue
    const { depth, first, last, at, text } = node
    yield { number, depth, first, last, at, text }
  }
}

/** Whether something in a session matches, replaced messages and what it was forked from included. */
export function mayMatch(state: SessionState, { where, among }: SessionMatch): boolean {
  const query = { where, order: 'newest', limit: 1, includeReplaced: true } as const
  const has = (rows: Iterator<unknown>) => rows.next().done !== true
  return (
    (among !== 'summaries' && has(messageCandidates(state, query))) ||
    (among !== 'messages' && has(summaryCandidates(state, query)))
  )
}
