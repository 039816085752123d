import { InvalidOptionError } from '@palimpsest/core'

/** The reading of a query: as it was asked, without fillers and punctuation, or as parts of words. */
export type SearchLevel = 'asked' | 'loose' | 'substring'

/** Where a search goes on. */
export interface SearchCursor {
  /** Everything up to this number, in the order of the search, was answered. */
  readonly number: number
  /** The reading of the query. */
  readonly level: SearchLevel
}

const MARKS = { asked: '', loose: '+', substring: '~' } as const

/** `m57`, or `m57+` and `m57~` once a search fell back to a looser reading; `s3` among summaries. */
export function formatCursor(prefix: 'm' | 's', { number, level }: SearchCursor): string {
  return `${prefix}${number}${MARKS[level]}`
}

/**
 * Reads a cursor. A plain number is one too: the search goes on behind it.
 *
 * @throws InvalidOptionError
 */
export function parseCursor(cursor: string, prefix: 'm' | 's'): SearchCursor {
  const match = /^([ms]?)(\d{1,15})([+~]?)$/.exec(cursor)
  if (match === null || (match[1] !== '' && match[1] !== prefix)) {
    throw new InvalidOptionError(
      'cursor',
      `cursor must be the "next" of an earlier answer, such as "${prefix}57"`,
    )
  }
  const level = match[3] === '~' ? 'substring' : match[3] === '+' ? 'loose' : 'asked'
  return { number: Number(match[2]), level }
}

/** Where a ranked list goes on: behind so many hits, among the messages up to one. */
export interface RankCursor {
  readonly rank: number
  readonly last: number
}

/** `r10m57`: later messages do not move what comes next. */
export function formatRankCursor({ rank, last }: RankCursor): string {
  return `r${rank}m${last}`
}

/** Reads a cursor of a ranked list; undefined when it is one of another list, or none. */
export function parseRankCursor(cursor: string | undefined): RankCursor | undefined {
  const match = /^r(\d{1,9})m(\d{1,15})$/.exec(cursor ?? '')
  return match === null ? undefined : { rank: Number(match[1]), last: Number(match[2]) }
}
