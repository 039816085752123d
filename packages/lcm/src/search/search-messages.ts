import { countLive } from '../history/replaced-ranges.ts'
import type { MessageCandidate } from '../store/candidate-query.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { coveringSummary } from './covering-summary.ts'
import { describeMatch } from './describe-match.ts'
import { runSearch } from './run-search.ts'
import type { MessageHit, MessageSearchQuery, SearchContext, SearchResult } from './search-types.ts'
import { withinTimes } from './time-bounds.ts'

/**
 * Searches the messages of a session: texts, and the names and arguments of tool calls. Pages that follow each other
 * by cursor hold every matching message exactly once. With `since` or `before` the range is found by the times of
 * messages, which are expected to grow, and each hit is checked.
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
  const timed = since !== undefined || before !== undefined
  const range = timed ? await withinTimes(session, asked, query) : asked
  const accepts = ({ role, at }: MessageCandidate) =>
    (roles === undefined || roles.includes(role)) &&
    (since === undefined || at >= since) &&
    (before === undefined || at < before)
  const page = await runSearch<MessageCandidate>(
    {
      prefix: 'm',
      read: (q) => session.candidates(q),
      numberOf: ({ seq }) => seq,
      accepts,
      ...range,
      includeReplaced,
    },
    query,
    context,
  )
  const readFrontier = context.frontier ?? (() => session.frontier())
  const nodes = page.found.length === 0 ? [] : (await readFrontier()).nodes
  const { first, last } = page.covered
  const messages = includeReplaced ? Math.max(0, last - first + 1) : countLive(head.replaced, first, last)
  return {
    hits: page.found.map(({ row, match }) => ({
      seq: row.seq,
      role: row.role,
      at: row.at,
      replaced: row.replaced,
      summary: row.replaced ? null : (coveringSummary(nodes, row.seq)?.number ?? null),
      ...describeMatch(row.text, match, query.context),
    })),
    matched: page.matched,
    scanned: first > last ? { messages: 0, from: null, to: null } : { messages, from: first, to: last },
    complete: page.complete,
    next: page.next,
    ...(page.stopped !== undefined && { stopped: page.stopped }),
  }
}
