import { InvalidOptionError } from '@palimpsest/core'

/** Where a search goes on. */
export interface SearchCursor {
  /** Everything up to this number, in the order of the search, was answered. */
  readonly number: number
  /** The search had fallen back to substrings. */
  readonly substring: boolean
}

/** `m57`, or `m57~` once a search for words fell back to substrings; `s3` among summaries. */
export function formatCursor(prefix: 'm' | 's', { number, substring }: SearchCursor): string {
  return `${prefix}${number}${substring ? '~' : ''}`
}

/**
 * Reads a cursor. A plain number is one too: the search goes on behind it.
 *
 * @throws InvalidOptionError
 */
export function parseCursor(cursor: string, prefix: 'm' | 's'): SearchCursor {
  const match = /^([ms]?)(\d{1,15})(~?)$/.exec(cursor)
  if (match === null || (match[1] !== '' && match[1] !== prefix)) {
    throw new InvalidOptionError(
      'cursor',
      `cursor must be the "next" of an earlier answer, such as "${prefix}57"`,
    )
  }
  return { number: Number(match[2]), substring: match[3] === '~' }
}
