import type { MessageHit, SearchResult, SummarySearchResult } from '@palimpsest/lcm'

/** What a search found in one session. */
export interface Found {
  readonly session: string
  readonly messages?: SearchResult<MessageHit>
  readonly summaries?: SummarySearchResult
}
