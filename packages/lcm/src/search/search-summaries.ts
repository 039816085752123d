import type { StoredSession, Summary } from '@palimpsest/core'
import { isReplaced } from '../history/replaced-ranges.ts'
import { runSearch } from './run-search.ts'
import {
  PASSAGE_CHARACTERS,
  type SearchContext,
  type SearchQuery,
  type SearchResult,
  type SummaryHit,
} from './search-types.ts'
import { cutAround, describeMatch } from './snippet.ts'

/** A result whose `scanned` counts summaries, by their numbers. */
export type SummarySearchResult = Omit<SearchResult<SummaryHit>, 'scanned'> & {
  readonly scanned: { readonly summaries: number; readonly from: number | null; readonly to: number | null }
}

/**
 * Searches a session's summaries by number, including those replaced by a condensed one. Bounds on messages and times
 * apply to the messages that a summary covers.
 *
 * @throws InvalidOptionError for an invalid query or cursor; the store's errors; `signal.reason`.
 */
export async function searchSummaries(
  session: StoredSession,
  query: SearchQuery,
  context: SearchContext,
): Promise<SummarySearchResult> {
  const head = await session.head()
  const { first: firstMessage = 0, last: lastMessage = head.nextSeq, since, before } = query
  const page = await runSearch<Summary>(
    {
      prefix: 's',
      async read(asked) {
        const candidates = await session.candidates('summaries', asked)
        return session.summaries(candidates.map(({ number }) => number))
      },
      accepts: ({ first, last, from, to }) =>
        first <= lastMessage &&
        last >= firstMessage &&
        (since === undefined || to >= since) &&
        (before === undefined || from < before) &&
        !(context.hidesReplaced && isReplaced(head.replaced, last)),
      first: 1,
      last: head.nextSummary - 1,
      includeReplaced: false,
    },
    query,
    context,
  )
  const { first, last } = page.covered
  return {
    hits: page.found.map(({ row, match }) => ({
      number: row.number,
      depth: row.depth,
      first: row.first,
      last: row.last,
      at: row.at,
      ...describeMatch(row.text, match),
      text: cutAround(row.text, match, query.characters ?? PASSAGE_CHARACTERS),
    })),
    ...page.reading,
    scanned:
      first > last
        ? { summaries: 0, from: null, to: null }
        : { summaries: last - first + 1, from: first, to: last },
    complete: page.complete,
    next: page.next,
    ...(page.stopped !== undefined && { stopped: page.stopped }),
  }
}
