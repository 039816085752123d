import type { SessionMatch } from '../store/candidate-query.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { searchMessages } from './search-messages.ts'
import { type SummarySearchResult, searchSummaries } from './search-summaries.ts'
import type { MessageHit, MessageSearchQuery, SearchContext, SearchResult } from './search-types.ts'

export interface SessionHits {
  readonly session: string
  readonly messages?: SearchResult<MessageHit>
  readonly summaries?: SummarySearchResult
}

/** Searches the messages of a session, its summaries, or both. @throws as `searchMessages`. */
export async function searchSession(
  session: LcmSession,
  query: MessageSearchQuery,
  among: SessionMatch['among'],
  context: SearchContext,
): Promise<SessionHits> {
  return {
    session: session.key,
    ...(among !== 'messages' && { summaries: await searchSummaries(session, query, context) }),
    ...(among !== 'summaries' && { messages: await searchMessages(session, query, context) }),
  }
}
