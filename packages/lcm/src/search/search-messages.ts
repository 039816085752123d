import { InvalidOptionError } from '@palimpsest/core'
import { countLive } from '../history/replaced-ranges.ts'
import type { MessageCandidate } from '../store/candidate-query.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { coveringSummary } from './covering-summary.ts'
import { type RankedMessage, rankMessages } from './rank-messages.ts'
import { type FoundRows, runSearch, type SearchSource } from './run-search.ts'
import { formatRankCursor, parseRankCursor, type RankCursor } from './search-cursor.ts'
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
  session: LcmSession,
  query: MessageSearchQuery,
  context: SearchContext,
): Promise<SearchResult<MessageHit>> {
  const { roles, since, before, includeReplaced = false } = query
  const head = await (context.head ?? session.head)()
  const asked = {
    first: Math.max(query.first ?? 0, 0),
    last: Math.min(query.last ?? head.nextSeq, head.nextSeq - 1),
  }
  const accepts = ({ role, at }: MessageCandidate) =>
    (roles === undefined || roles.includes(role)) &&
    (since === undefined || at >= since) &&
    (before === undefined || at < before)
  const source: SearchSource<MessageCandidate> = {
    prefix: 'm',
    read: (q) => session.candidates(q),
    numberOf: ({ seq }) => seq,
    accepts,
    ...asked,
    includeReplaced,
  }
  const ranking = parseRankCursor(query.cursor)
  const page =
    query.order === 'relevance' || ranking !== undefined
      ? await rankPage(source, query, ranking)
      : await searchOrRank(source, query, context)
  const readFrontier = context.frontier ?? (() => session.frontier())
  const nodes = page.found.length === 0 ? [] : (await readFrontier()).nodes
  const { first, last } = page.covered
  const size = Math.max(0, last - first + 1)
  const messages = includeReplaced ? size : countLive(head.replaced, first, last)
  const left = size - messages
  const unsaved = query.last === undefined ? (context.unsaved?.() ?? 0) : 0
  return {
    hits: page.found.map(({ row, match, terms, repeats }: FoundMessage) => ({
      seq: row.seq,
      role: row.role,
      at: row.at,
      replaced: row.replaced,
      offset: readingOffset(row.text, match),
      summary: row.replaced ? null : (coveringSummary(nodes, row.seq)?.number ?? null),
      ...(terms !== undefined && { terms }),
      ...(repeats !== undefined && repeats > 0 && { repeats }),
      ...describeMatch(row.text, match, query.context),
    })),
    ...page.reading,
    scanned: first > last ? { messages: 0, from: null, to: null } : { messages, from: first, to: last },
    ...(left > 0 && { replacedNotSearched: left }),
    complete: page.complete && unsaved === 0,
    next: page.next,
    ...(page.stopped !== undefined
      ? { stopped: page.stopped }
      : unsaved > 0 && { stopped: notSearched(unsaved) }),
  }
}

type FoundMessage = Pick<RankedMessage, 'row' | 'match'> & Partial<RankedMessage>

/** The messages that have all terms, in order of time; if none has, and no order was asked for, the best of those that have some. */
async function searchOrRank(
  source: SearchSource<MessageCandidate>,
  query: MessageSearchQuery,
  context: SearchContext,
): Promise<FoundRows<MessageCandidate>> {
  const page = await runSearch<MessageCandidate>(source, query, context)
  const { terms } = page.reading
  if (query.order !== undefined || context.level !== undefined || terms === undefined) return page
  const ranked = await rankPage(source, query, undefined)
  return ranked.found.length === 0 ? page : { ...ranked, reading: { ...ranked.reading, terms } }
}

async function rankPage(
  source: SearchSource<MessageCandidate>,
  { query, mode = 'text', limit = DEFAULT_HITS }: MessageSearchQuery,
  cursor: RankCursor | undefined,
): Promise<FoundRows<MessageCandidate>> {
  if (mode !== 'text')
    throw new InvalidOptionError('order', 'order "relevance" ranks words; use it with mode "text"')
  const last = Math.min(source.last, cursor?.last ?? source.last)
  const start = cursor?.rank ?? 0
  const end = start + limit
  const { ranked, count, isWhole } = await rankMessages(source.read, query, { ...source, last, start, end })
  const isLast = end >= count
  return {
    found: ranked,
    reading: { matched: 'word', order: 'relevance' },
    covered: { first: source.first, last },
    complete: isWhole && isLast,
    next: isLast ? null : formatRankCursor({ rank: end, last }),
  }
}

function notSearched(unsaved: number): string {
  return `the newest ${unsaved} messages could not be stored yet and were not searched; they are in your context`
}
