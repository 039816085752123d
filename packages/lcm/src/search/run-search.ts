import type { CandidateQuery } from '../store/candidate-query.ts'
import { createMatchers } from './create-matcher.ts'
import type { Matcher, TextMatch } from './matcher.ts'
import { type Scanned, scanCandidates } from './scan-candidates.ts'
import { formatCursor, parseCursor } from './search-cursor.ts'
import { DEFAULT_HITS, SEARCH_TIME_LIMIT, type SearchContext, type SearchQuery } from './search-types.ts'

/** What is searched: messages or summaries. */
export interface SearchSource<R extends { readonly text: string }> {
  readonly prefix: 'm' | 's'
  readonly read: (query: CandidateQuery) => Promise<R[]>
  readonly numberOf: (row: R) => number
  readonly accepts: (row: R) => boolean
  /** The numbers to search, inclusive. */
  readonly first: number
  readonly last: number
  readonly includeReplaced: boolean
}

/** A page of rows, before they are made into hits. */
export interface FoundRows<R> {
  readonly found: readonly { readonly row: R; readonly match: TextMatch }[]
  readonly matched: Matcher['kind']
  /** The numbers that were covered, inclusive; `first` is above `last` when there were none. */
  readonly covered: { readonly first: number; readonly last: number }
  readonly complete: boolean
  readonly next: string | null
  readonly stopped?: string
}

/** One page of a search: rows in order, with a cursor when there are more. @throws InvalidOptionError */
export async function runSearch<R extends { readonly text: string }>(
  source: SearchSource<R>,
  query: SearchQuery,
  context: SearchContext,
): Promise<FoundRows<R>> {
  const { prefix } = source
  const { order = 'newest', limit = DEFAULT_HITS } = query
  const cursor = query.cursor === undefined ? undefined : parseCursor(query.cursor, prefix)
  const { matcher, fallback } = createMatchers(query, cursor, context)
  let { first, last } = source
  if (cursor !== undefined && order === 'newest') last = Math.min(last, cursor.number - 1)
  if (cursor !== undefined && order === 'oldest') first = Math.max(first, cursor.number + 1)
  const { clock, signal, timeLimit = SEARCH_TIME_LIMIT } = context
  const deadline = clock.now() + timeLimit
  // One more than wanted tells whether there is another page.
  const scan = { ...source, first, last, order, wanted: limit + 1, clock, deadline, signal }
  let used = matcher
  let scanned = await scanCandidates({ ...scan, matcher })
  if (fallback !== undefined && scanned.found.length === 0 && scanned.ended === 'end') {
    const loose = await scanCandidates({ ...scan, matcher: fallback })
    if (loose.found.length > 0 || loose.ended !== 'end') {
      used = fallback
      scanned = loose
    }
  }
  const found = scanned.found.slice(0, limit)
  const step = order === 'newest' ? -1 : 1
  const lastFound = found.at(-1)
  const full = scanned.found.length > limit && lastFound !== undefined
  const reached = full ? source.numberOf(lastFound.row) : scanned.at - step
  const substring = used === fallback || cursor?.substring === true
  const goesOn = full || scanned.ended === 'deadline'
  const slow = scanned.ended === 'slow' && !full
  return {
    found,
    matched: used.kind,
    covered: order === 'newest' ? { first: reached, last } : { first, last: reached },
    complete: !goesOn && !slow,
    next: goesOn ? formatCursor(prefix, { number: reached, substring }) : null,
    ...stopReason(scanned, full, prefix),
  }
}

function stopReason<R extends { readonly text: string }>(
  { ended, at }: Scanned<R>,
  full: boolean,
  prefix: string,
): { stopped?: string } {
  if (full) return {}
  if (ended === 'deadline') return { stopped: 'the time limit was reached; go on with the cursor in "next"' }
  if (ended !== 'slow') return {}
  return {
    stopped:
      `the pattern takes too long on ${prefix}${at}, and what lies behind it was not searched; simplify the ` +
      'pattern (nested repetitions such as (a+)+ are slow), or search the rest with "first" and "last"',
  }
}
