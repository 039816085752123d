import { InvalidOptionError } from '@palimpsest/core'
import type { CandidateQuery, SearchTerm } from '../store/candidate-query.ts'
import { createTermFinder } from './find-term.ts'
import { type Matcher, matchTexts, type TextMatch } from './matcher.ts'
import { type LooserReadings, type Reading, readQuery } from './read-query.ts'
import { type Scan, type Scanned, scanCandidates } from './scan-candidates.ts'
import { formatCursor, parseCursor } from './search-cursor.ts'
import {
  DEFAULT_HITS,
  SEARCH_TIME_LIMIT,
  type SearchContext,
  type SearchQuery,
  type SearchReading,
  type TermCount,
} from './search-types.ts'

export interface SearchSource<R extends { readonly text: string }> {
  readonly prefix: 'm' | 's'
  readonly read: (query: CandidateQuery) => Promise<readonly R[]>
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
  readonly reading: SearchReading
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
  if (order === 'relevance')
    throw new InvalidOptionError('order', 'order "relevance" ranks messages; use scope "messages" with it')
  const cursor = query.cursor === undefined ? undefined : parseCursor(query.cursor, prefix)
  const { first: asked, looser } = readQuery(query, cursor, context)
  let { first, last } = source
  if (cursor !== undefined && order === 'newest') last = Math.min(last, cursor.number - 1)
  if (cursor !== undefined && order === 'oldest') first = Math.max(first, cursor.number + 1)
  const { clock, signal, timeLimit = SEARCH_TIME_LIMIT } = context
  const deadline = clock.now() + timeLimit
  // One more than wanted tells whether there is another page.
  const scan = { ...source, first, last, order, wanted: limit + 1, clock, deadline, signal }
  const attempt = async (reading: Reading): Promise<Attempt<R>> => {
    const matcher = reading.matcher()
    return { reading, matcher, scanned: await scanCandidates({ ...scan, matcher }) }
  }
  // Full-text tables of SQLite see several times sooner from the oldest row on that nothing matches.
  const mayMatch = async (reading: Reading) => {
    const { where } = reading.matcher()
    const { includeReplaced } = scan
    return (await scan.read({ where, first, last, order: 'oldest', limit: 1, includeReplaced })).length > 0
  }
  const { best, terms } = await firstToMatch(asked, looser, { attempt, mayMatch })
  const { reading, matcher, scanned } = best
  const found = scanned.found.slice(0, limit)
  const step = order === 'newest' ? -1 : 1
  const lastFound = found.at(-1)
  const full = scanned.found.length > limit && lastFound !== undefined
  const reached = full ? source.numberOf(lastFound.row) : scanned.at - step
  const goesOn = full || scanned.ended === 'deadline'
  const slow = scanned.ended === 'slow' && !full
  return {
    found,
    reading: {
      matched: matcher.kind,
      ...(reading.ignored && { ignored: reading.ignored }),
      ...(reading.split && { split: reading.split }),
      ...(terms.length > 0 && { terms: await countTerms(terms, scan) }),
    },
    covered: order === 'newest' ? { first: reached, last } : { first, last: reached },
    complete: !goesOn && !slow,
    next: goesOn ? formatCursor(prefix, { number: reached, level: reading.level }) : null,
    ...stopReason(scanned, full, prefix),
  }
}

/** The outcome of one reading of the query. */
interface Attempt<R extends { readonly text: string }> {
  readonly reading: Reading
  readonly matcher: Matcher
  readonly scanned: Scanned<R>
}

/** The first reading that matches anything, or that could not be tried to its end; the one asked for if none does. */
async function firstToMatch<R extends { readonly text: string }>(
  asked: Reading,
  looser: () => LooserReadings,
  tries: {
    readonly attempt: (reading: Reading) => Promise<Attempt<R>>
    readonly mayMatch: (reading: Reading) => Promise<boolean>
  },
): Promise<{ readonly best: Attempt<R>; readonly terms: LooserReadings['terms'] }> {
  const best = await tries.attempt(asked)
  if (!isEmpty(best.scanned)) return { best, terms: [] }
  const { readings, terms } = looser()
  for (const reading of readings) {
    if (reading.addsOnlyParts && best.matcher.hasSeenParts?.() === false) continue
    if (!(await tries.mayMatch(reading))) continue
    const other = await tries.attempt(reading)
    if (!isEmpty(other.scanned)) return { best: other, terms: [] }
  }
  return { best, terms }
}

/** True when everything was looked at and nothing matches. */
function isEmpty<R extends { readonly text: string }>({ found, ended }: Scanned<R>): boolean {
  return found.length === 0 && ended === 'end'
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
      'pattern (nested repetitions such as (a+)+ are slow)',
  }
}

/** Rows with a term that are counted. More of them say no more. */
const COUNTED_ROWS = 100
/** Terms that are counted: the first ones. */
const COUNTED_TERMS = 12

/** In how many rows each term of a query stands, as a word or else as a part of one. Ends at the deadline. */
async function countTerms<R extends { readonly text: string }>(
  terms: readonly SearchTerm[],
  scan: Omit<Scan<R>, 'matcher' | 'wanted'>,
): Promise<readonly TermCount[]> {
  const count = async (term: SearchTerm) => {
    const find = createTermFinder(term)
    // Its other occurrences in a message are not asked for.
    const isThere = (text: string) => {
      const span = find(text, 0)
      return span && { ...span, count: 1 }
    }
    const matcher: Matcher = {
      kind: 'word',
      where: [[term]],
      run: (texts, enough) => ({ matches: matchTexts(texts, enough, isThere), slow: false }),
    }
    return (await scanCandidates({ ...scan, matcher, wanted: COUNTED_ROWS })).found.length
  }
  const counts: TermCount[] = []
  for (const term of terms.slice(0, COUNTED_TERMS)) {
    if (scan.clock.now() >= scan.deadline) break
    let found = await count(term)
    if (found === 0 && term.kind !== 'substring') found = await count({ ...term, kind: 'substring' })
    const shown = term.kind === 'prefix' ? `${term.text}*` : term.text
    counts.push({ term: shown, count: found, isAtLeast: found === COUNTED_ROWS })
  }
  return counts
}
