import { setImmediate } from 'node:timers/promises'
import { type CandidateQuery, type Clock, InvalidOptionError } from '@palimpsest/core'
import type { TextMatch } from './find-term.ts'
import { createRegexMatcher, createTermsMatcher, type Matcher } from './matcher.ts'
import { asPrefixes, asSubstrings, checkQuery, parseQuery, withForms } from './parse-query.ts'
import {
  DEFAULT_HITS,
  SEARCH_TIME_LIMIT,
  type SearchContext,
  type SearchLevel,
  type SearchQuery,
  type SearchReading,
} from './search-types.ts'

export interface Reading {
  readonly level: SearchLevel
  readonly matcher: Matcher
}

/**
 * The readings of a query, each tried if the previous one matches nothing: as given, as word prefixes, as substrings. A
 * continued search keeps its reading.
 *
 * @throws InvalidOptionError
 */
export async function readQuery(
  { query, mode = 'text', ignoreCase = false }: SearchQuery,
  level?: SearchLevel,
): Promise<readonly [Reading, ...Reading[]]> {
  if (mode === 'regex') return [{ level: 'asked', matcher: createRegexMatcher(query, ignoreCase) }]
  if (mode === 'substring') {
    const whole = [{ kind: 'substring', text: checkQuery(query) } as const]
    return [{ level: 'asked', matcher: createTermsMatcher(whole) }]
  }
  const terms = await withForms(parseQuery(query))
  const asked: Reading = { level: 'asked', matcher: createTermsMatcher(terms) }
  const looser: Reading[] = []
  if (terms.some(({ kind }) => kind === 'word'))
    looser.push({ level: 'prefix', matcher: createTermsMatcher(asPrefixes(terms)) })
  if (terms.some(({ kind, quoted }) => kind !== 'substring' || quoted === true))
    looser.push({ level: 'substring', matcher: createTermsMatcher(asSubstrings(terms)) })
  if (level === undefined) return [asked, ...looser]
  return [looser.find((reading) => reading.level === level) ?? asked]
}

interface Row {
  readonly number: number
  readonly text: string
}

export interface SearchSource<R extends Row> {
  readonly prefix: 'm' | 's'
  readonly read: (query: CandidateQuery) => Promise<readonly R[]>
  readonly accepts: (row: R) => boolean
  readonly first: number
  readonly last: number
  readonly includeReplaced: boolean
}

export interface FoundRows<R> {
  readonly found: readonly {
    readonly row: R
    readonly match: TextMatch
  }[]
  readonly reading: SearchReading
  readonly covered: { readonly first: number; readonly last: number }
  readonly complete: boolean
  readonly next: string | null
  readonly stopped?: string
}

export async function runSearch<R extends Row>(
  source: SearchSource<R>,
  query: SearchQuery,
  context: SearchContext,
): Promise<FoundRows<R>> {
  const { prefix } = source
  const { order = 'newest', limit = DEFAULT_HITS } = query
  if (order === 'relevance')
    throw new InvalidOptionError('order', 'order "relevance" ranks messages; use scope "messages" with it')
  const cursor = query.cursor === undefined ? undefined : parseCursor(query.cursor, prefix)
  const readings = await readQuery(query, context.level ?? cursor?.level)
  let { first, last } = source
  if (cursor !== undefined && order === 'newest') last = Math.min(last, cursor.number - 1)
  if (cursor !== undefined && order === 'oldest') first = Math.max(first, cursor.number + 1)
  const { clock, signal, timeLimit = SEARCH_TIME_LIMIT } = context
  const deadline = clock.now() + timeLimit
  const scan = { ...source, first, last, order, wanted: limit + 1, clock, deadline, signal }
  let reading: Reading = readings[0]
  let scanned = await scanCandidates({ ...scan, matcher: reading.matcher })
  for (const looser of readings.slice(1)) {
    if (scanned.found.length > 0 || scanned.ended !== 'end') break
    const other = await scanCandidates({ ...scan, matcher: looser.matcher })
    if (other.found.length > 0 || other.ended !== 'end') [reading, scanned] = [looser, other]
  }
  const found = scanned.found.slice(0, limit)
  const step = order === 'newest' ? -1 : 1
  const lastFound = found.at(-1)
  const full = scanned.found.length > limit && lastFound !== undefined
  const reached = full ? lastFound.row.number : scanned.at - step
  const goesOn = full || scanned.ended === 'deadline'
  const mark = MARKS[reading.level]
  return {
    found,
    reading: { matched: reading.matcher.kind },
    covered: order === 'newest' ? { first: reached, last } : { first, last: reached },
    complete: !goesOn && (full || scanned.ended !== 'slow'),
    next: goesOn ? `${prefix}${reached}${mark}` : null,
    ...(!full && stopReason(scanned, prefix)),
  }
}

const MARKS: Readonly<Record<SearchLevel, string>> = { asked: '', prefix: '*', substring: '~' }

/** Reads `m57`, or `m57~` for a search that fell back to substrings. A plain number continues after it. */
function parseCursor(
  cursor: string,
  prefix: 'm' | 's',
): { readonly number: number; readonly level: SearchLevel } {
  const match = /^([ms]?)(\d{1,15})([*~]?)$/.exec(cursor)
  if (match === null || (match[1] !== '' && match[1] !== prefix)) {
    throw new InvalidOptionError(
      'cursor',
      `cursor must be the "next" of an earlier answer, such as "${prefix}57"`,
    )
  }
  const level = (['prefix', 'substring'] as const).find((one) => MARKS[one] === match[3])
  return { number: Number(match[2]), level: level ?? 'asked' }
}

function stopReason(
  { ended, at }: Pick<Scanned<never>, 'ended' | 'at'>,
  prefix: string,
): { stopped?: string } {
  if (ended === 'deadline') return { stopped: 'the time limit was reached; go on with the cursor in "next"' }
  if (ended !== 'slow') return {}
  return {
    stopped:
      `the pattern takes too long on ${prefix}${at}, and nothing after it was searched; simplify the ` +
      'pattern (nested repetitions such as (a+)+ are slow)',
  }
}

const SCAN_ROWS = 64
const SPARE_ROWS = 2
const BATCH_CHARACTERS = 4_000_000
const MAX_ROWS = 1_000

interface Scan<R extends Row> extends SearchSource<R> {
  readonly matcher: Matcher
  readonly order: 'newest' | 'oldest'
  readonly wanted: number
  readonly clock: Clock
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

interface Scanned<R> {
  readonly found: readonly { readonly row: R; readonly match: TextMatch }[]
  /**
   * The reason for the end: `enough` matches, the `end` of the range, the `deadline` before row `at`, or a `slow` row
   * `at`.
   */
  readonly ended: 'enough' | 'end' | 'deadline' | 'slow'
  readonly at: number
}

async function scanCandidates<R extends Row>(scan: Scan<R>): Promise<Scanned<R>> {
  const { matcher, order, wanted, includeReplaced } = scan
  const { where } = matcher
  const found: { row: R; match: TextMatch }[] = []
  const step = order === 'newest' ? -1 : 1
  let { first, last } = scan
  let limit = where.length === 0 ? SCAN_ROWS : wanted + SPARE_ROWS
  const breathe = async (): Promise<void> => {
    await setImmediate()
    scan.signal?.throwIfAborted()
  }
  while (first <= last) {
    const rows = await scan.read({ where, first, last, order, limit, includeReplaced })
    const accepted = rows.filter(scan.accepts)
    for (let done = 0; done < accepted.length; ) {
      const batch = accepted.slice(done)
      const { matches, slow } = matcher.run(
        batch.map(({ text }) => text),
        wanted - found.length,
      )
      for (const [index, match] of matches.entries()) {
        const row = batch[index]
        if (match !== null && row !== undefined) found.push({ row, match })
      }
      done += matches.length
      const next = accepted[done]
      if (slow && next !== undefined) return { found, ended: 'slow', at: next.number }
      const lastDone = accepted[done - 1]
      if (found.length === wanted && lastDone !== undefined)
        return { found, ended: 'enough', at: lastDone.number + step }
      if (next !== undefined) {
        if (scan.clock.now() >= scan.deadline) return { found, ended: 'deadline', at: next.number }
        await breathe()
      }
    }
    const lastRow = rows.at(-1)
    if (lastRow === undefined || rows.length < limit) break
    if (order === 'newest') last = lastRow.number - 1
    else first = lastRow.number + 1
    if (scan.clock.now() >= scan.deadline) return { found, ended: 'deadline', at: lastRow.number + step }
    limit = nextLimit(rows)
    await breathe()
  }
  return { found, ended: 'end', at: order === 'newest' ? scan.first - 1 : scan.last + 1 }
}

function nextLimit(rows: readonly Row[]): number {
  const characters = rows.reduce((sum, { text }) => sum + text.length, 0)
  const fitting = Math.floor((BATCH_CHARACTERS * rows.length) / Math.max(characters, 1))
  return Math.max(1, Math.min(fitting, rows.length * 4, MAX_ROWS))
}
