import { isReplaced } from '../history/replaced-ranges.ts'
import type { LcmSession, SeqRange, SummaryCandidate } from '../store/lcm-session.ts'
import { runSearch } from './run-search.ts'
import type { SearchContext, SearchQuery, SearchResult, SummaryHit } from './search-types.ts'
import { describeMatch } from './snippet.ts'

/** A result whose `scanned` counts summaries, by their numbers. */
export type SummarySearchResult = Omit<SearchResult<SummaryHit>, 'scanned'> & {
  readonly scanned: { readonly summaries: number; readonly from: number | null; readonly to: number | null }
}

/**
 * Searches the summaries of a session, in the order of their numbers; those too that stand behind a condensed one.
 * Bounds of messages and times are those of the messages that a summary covers.
 *
 * @throws InvalidOptionError for a query or cursor that cannot be read; what the store throws; `signal.reason`.
 */
export async function searchSummaries(
  session: LcmSession,
  query: SearchQuery,
  context: SearchContext,
): Promise<SummarySearchResult> {
  const head = await (context.head ?? session.head)()
  const asked = { first: query.first ?? 0, last: Math.min(query.last ?? head.nextSeq, head.nextSeq - 1) }
  const timed = query.since !== undefined || query.before !== undefined
  const range = timed ? await withinTimes(session, asked, query) : asked
  const page = await runSearch<SummaryCandidate>(
    {
      prefix: 's',
      read: (q) => session.summaryCandidates(q),
      numberOf: ({ number }) => number,
      accepts: ({ first, last }) =>
        first <= range.last &&
        last >= range.first &&
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
      ...describeMatch(row.text, match, query.context),
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

/**
 * The part of a run of messages that lies between two times, found with a few reads instead of a scan. Times grow
 * with the numbers of messages; where a clock was set back, a message near the bounds may be left out.
 */
async function withinTimes(
  session: LcmSession,
  range: SeqRange,
  { since, before }: Pick<SearchQuery, 'since' | 'before'>,
): Promise<SeqRange> {
  const find = async (time: number): Promise<number> => {
    let [low, high] = [range.first, range.last + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const [message] = await session.messages({ first: middle, last: range.last, limit: 1 })
      if (message === undefined || message.at >= time) high = middle
      else low = message.seq + 1
    }
    return low
  }
  const first = since === undefined ? range.first : await find(since)
  const last = before === undefined ? range.last : (await find(before)) - 1
  return { first, last }
}
