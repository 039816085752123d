import { type Candidate, InvalidOptionError, type StoredSession, type Summary } from '@palimpsest/core'
import { frontierSummaries } from '../history/frontier-history.ts'
import { countLive } from '../history/replaced-ranges.ts'
import { rankMessages } from './rank-messages.ts'
import { type FoundRows, runSearch, type SearchSource } from './run-search.ts'
import {
  DEFAULT_HITS,
  type MessageHit,
  type MessageSearchQuery,
  type SearchContext,
  type SearchResult,
} from './search-types.ts'
import { describeMatch, readingOffset } from './snippet.ts'

/**
 * Searches the messages of a session: texts, and the names and arguments of tool calls. Pages that follow each other
 * by cursor hold every matching message exactly once. Times are looked at message by message: a clock may have been
 * set back.
 *
 * @throws InvalidOptionError for a query or cursor that cannot be read; what the store throws; `signal.reason`.
 */
export async function searchMessages(
  session: StoredSession,
  query: MessageSearchQuery,
  context: SearchContext,
): Promise<SearchResult<MessageHit>> {
  const { roles, since, before, includeReplaced = false } = query
  const head = await session.head()
  const source: SearchSource<Candidate> = {
    prefix: 'm',
    read: (q) => session.candidates('messages', q),
    accepts: ({ role, at }) =>
      (roles === undefined || roles.includes(role)) &&
      (since === undefined || at >= since) &&
      (before === undefined || at < before),
    first: Math.max(query.first ?? 0, 0),
    last: Math.min(query.last ?? head.nextSeq, head.nextSeq - 1),
    includeReplaced,
  }
  const page = await searchOrRank(source, query, context)
  const summaries = page.found.length === 0 ? [] : await frontierSummaries(session)
  const { first, last } = page.covered
  const size = Math.max(0, last - first + 1)
  const messages = includeReplaced ? size : countLive(head.replaced, first, last)
  const unsaved = query.last === undefined ? (context.unsaved?.() ?? 0) : 0
  return {
    hits: page.found.map(({ row, match, terms }) => ({
      seq: row.number,
      role: row.role,
      at: row.at,
      replaced: row.replaced,
      offset: readingOffset(row.text, match),
      summary: row.replaced ? null : (coveringSummary(summaries, row.number)?.number ?? null),
      ...(terms !== undefined && { terms }),
      ...describeMatch(row.text, match, query.context),
    })),
    ...page.reading,
    scanned: first > last ? { messages: 0, from: null, to: null } : { messages, from: first, to: last },
    ...(size > messages && { replacedNotSearched: size - messages }),
    complete: page.complete && unsaved === 0,
    next: page.next,
    ...(page.stopped !== undefined
      ? { stopped: page.stopped }
      : unsaved > 0 && {
          stopped: `the newest ${unsaved} messages could not be stored yet and were not searched; they are in your context`,
        }),
  }
}

/** The summary of a frontier that covers a message; undefined when the message is shown itself. */
export function coveringSummary(summaries: readonly Summary[], seq: number): Summary | undefined {
  return summaries.find(({ first, last }) => first <= seq && seq <= last)
}

/** The messages that have all terms, in order of time; if none has, and no order was asked for, the best of those that have some. */
async function searchOrRank(
  source: SearchSource<Candidate>,
  query: MessageSearchQuery,
  context: SearchContext,
): Promise<FoundRows<Candidate>> {
  // Ranked hits go on after a rank, among the messages up to one: later messages do not move what comes next.
  const cursor = /^r(\d{1,9})m(\d{1,15})$/.exec(query.cursor ?? '')
  if (query.order === 'relevance' || cursor !== null)
    return rankPage(source, query, Number(cursor?.[1] ?? 0), Number(cursor?.[2] ?? source.last))
  const page = await runSearch<Candidate>(source, query, context)
  const isEmpty = page.found.length === 0 && page.complete && query.cursor === undefined
  const mayRank =
    query.order === undefined && context.level === undefined && (query.mode ?? 'text') === 'text'
  if (!isEmpty || !mayRank) return page
  const ranked = await rankPage(source, query, 0, source.last)
  return ranked.found.length === 0 ? page : ranked
}

async function rankPage(
  source: SearchSource<Candidate>,
  { query, mode = 'text', limit = DEFAULT_HITS }: MessageSearchQuery,
  start: number,
  until: number,
): Promise<FoundRows<Candidate>> {
  if (mode !== 'text')
    throw new InvalidOptionError('order', 'order "relevance" ranks words; use it with mode "text"')
  const covered = { first: source.first, last: Math.min(source.last, until) }
  const end = start + limit
  const { accepts, includeReplaced } = source
  const input = { ranges: [covered], accepts, includeReplaced, start, end }
  const { found, count, isWhole } = await rankMessages(source.read, query, input)
  const isLast = end >= count
  return {
    found,
    reading: { matched: 'word', order: 'relevance' },
    covered,
    complete: isWhole && isLast,
    next: isLast ? null : `r${end}m${covered.last}`,
  }
}
