import type { SearchMode } from '@palimpsest/lcm'
import { COMMON_WORD } from '../workload/search-words.ts'
import { RARE_CHINESE, RARE_PART, RARE_PATTERN, RARE_WORD } from './scale-workload.ts'

/** Something to search for, and the condition that asks an index of the tables for the same. */
export interface GrepCase {
  readonly what: string
  readonly query: string
  readonly mode: SearchMode
  /** With `$1` for the value. */
  readonly condition: string
  readonly value: string | readonly string[]
  /** Whether few messages match, so that an index of texts is better than walking along the messages in their order. */
  readonly isRare: boolean
}

/** The expression that is indexed by trigrams, as the schema of the store has it. */
const FOLDED = `coalesce(folded, lower(text COLLATE "C"))`

/** One message of the store has everything rare in it. */
export const GREP_CASES: readonly GrepCase[] = [
  {
    what: 'rare word',
    query: RARE_WORD,
    mode: 'text',
    condition: 'words @@ $1::tsquery',
    value: `'${RARE_WORD}'`,
    isRare: true,
  },
  {
    what: 'word in 40 % of the messages',
    query: COMMON_WORD,
    mode: 'text',
    condition: 'words @@ $1::tsquery',
    value: `'${COMMON_WORD}'`,
    isRare: false,
  },
  {
    what: 'rare part of a word',
    query: RARE_PART,
    mode: 'substring',
    condition: `${FOLDED} LIKE $1`,
    value: `%${RARE_PART}%`,
    isRare: true,
  },
  {
    what: 'rare Chinese',
    query: RARE_CHINESE,
    mode: 'substring',
    condition: 'grams @> $1::text[]',
    value: [...RARE_CHINESE].slice(1).map((character, index) => [...RARE_CHINESE][index] + character),
    isRare: true,
  },
  {
    what: 'rare regular expression',
    query: RARE_PATTERN,
    mode: 'regex',
    condition: `${FOLDED} ~ $1`,
    value: RARE_PATTERN,
    isRare: true,
  },
]
