import { type Candidate, InvalidOptionError, type StoredSession, type Summary } from '@palimpsest/core'
import { frontierSummaries } from '../history/frontier-history.ts'
import { countLive } from '../history/replaced-ranges.ts'
import { groupNeighbours, type HitGroup, readPassage } from './passages.ts'
import { rankMessages } from './rank-messages.ts'
import { type FoundRows, runSearch, type SearchSource } from './run-search.ts'
import {
  DEFAULT_HITS,
  type MessageHit,
  type MessageSearchQuery,
  PASSAGE_CHARACTERS,
  type SearchContext,
  type SearchResult,
} from './search-types.ts'
import { describeMatch, readingOffset } from './snippet.ts'

/**
 * Searches a session's messages: texts, and the names and arguments of tool calls. Neighbouring hits share a passage
 * with their context. Pages that follow each other by cursor contain every match exactly once. Times are compared per
 * message, because clocks may be set back.
 *
 * @throws InvalidOptionError for an invalid query or cursor; the store's errors; `signal.reason`.
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
  const summaries = page.groups.length === 0 ? [] : await frontierSummaries(session)
  const options = { ...query, characters: query.characters ?? PASSAGE_CHARACTERS, includeReplaced }
  const hits: MessageHit[] = []
  for (const group of page.groups) {
    const [{ row, match }] = group
    hits.push({
      seq: row.number,
      role: row.role,
      at: row.at,
      replaced: row.replaced,
      offset: readingOffset(row.text, match),
      summary: row.replaced ? null : (coveringSummary(summaries, row.number)?.number ?? null),
      ...describeMatch(row.text, match),
      matching: group.map((one) => one.row.number),
      passage: await readPassage(session, group, options),
    })
  }
  const { first, last } = page.covered
  const size = Math.max(0, last - first + 1)
  const messages = includeReplaced ? size : countLive(head.replaced, first, last)
  const unsaved = query.last === undefined ? (context.unsaved?.() ?? 0) : 0
  return {
    hits,
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

export function coveringSummary(summaries: readonly Summary[], seq: number): Summary | undefined {
  return summaries.find(({ first, last }) => first <= seq && seq <= last)
}

type Page = Omit<FoundRows<Candidate>, 'found'> & {
  readonly groups: readonly HitGroup<FoundRows<Candidate>['found'][number]>[]
}

async function searchOrRank(
  source: SearchSource<Candidate>,
  query: MessageSearchQuery,
  context: SearchContext,
): Promise<Page> {
  const { mode = 'text', order, limit = DEFAULT_HITS, cursor } = query
  if (order === 'relevance' && mode !== 'text')
    throw new InvalidOptionError('order', 'order "relevance" ranks words; use it with mode "text"')
  const isRanked =
    order === 'relevance' || (order === undefined && mode === 'text' && context.level === undefined)
  // A ranked search continues after a rank, among the messages up to a number, so that new messages do not shift the
  // page.
  const place = /^r(\d{1,9})m(\d{1,15})$/.exec(cursor ?? '')
  if (place !== null || (isRanked && cursor === undefined))
    return rankPage(source, query, Number(place?.[1] ?? 0), Number(place?.[2] ?? source.last))
  const { found, ...page } = await runSearch<Candidate>(source, query, context)
  return { ...page, groups: groupNeighbours(found, limit).groups }
}

async function rankPage(
  source: SearchSource<Candidate>,
  { query, limit = DEFAULT_HITS }: MessageSearchQuery,
  start: number,
  until: number,
): Promise<Page> {
  const { accepts, includeReplaced, read } = source
  const covered = { first: source.first, last: Math.min(source.last, until) }
  const { messages, matched, absent, isWhole } = await rankMessages(read, query, {
    ...covered,
    accepts,
    includeReplaced,
  })
  const { groups, used } = groupNeighbours(messages.slice(start), limit)
  const end = start + used
  const isLast = end >= messages.length
  return {
    groups,
    reading: { matched, order: 'relevance', ...(absent.length > 0 && { absent }) },
    covered,
    complete: isWhole && isLast,
    next: isLast ? null : `r${end}m${covered.last}`,
  }
}
