import type { SearchTerm } from '../store/candidate-query.ts'
import { FILLER_WORDS } from './filler-words.ts'
import { createRegexMatcher } from './match-regex.ts'
import { createTermsMatcher } from './match-terms.ts'
import type { Matcher } from './matcher.ts'
import {
  asSubstrings,
  checkQuery,
  distinctTerms,
  MAX_TERMS,
  parseQuery,
  type QueryTerm,
  readWord,
} from './parse-query.ts'
import type { SearchCursor, SearchLevel } from './search-cursor.ts'
import type { SearchContext, SearchQuery } from './search-types.ts'

/** One way to read a query. */
export interface Reading {
  readonly level: SearchLevel
  /** Made when it is its turn: the first reading is the last one, nearly always. */
  readonly matcher: () => Matcher
  /** It differs from the first reading in parts of longer words alone: without any, it finds nothing either. */
  readonly addsOnlyParts?: boolean
  readonly ignored?: readonly string[]
  readonly split?: readonly string[]
}

/** Readings to try when nothing at all matches the first one. */
export interface LooserReadings {
  /** In the order in which they are tried. */
  readonly readings: readonly Reading[]
  /** Terms to look for one by one when nothing matches any of the readings. Empty unless there are several. */
  readonly terms: readonly SearchTerm[]
}

export interface QueryReadings {
  readonly first: Reading
  readonly looser: () => LooserReadings
}

const NONE: LooserReadings = { readings: [], terms: [] }

/** Reads a query. A search that goes on stays with the reading that found something. @throws InvalidOptionError */
export function readQuery(
  { query, mode = 'text', ignoreCase = true }: SearchQuery,
  cursor: SearchCursor | undefined,
  { messageTimeLimit, level = cursor?.level }: Pick<SearchContext, 'messageTimeLimit' | 'level'>,
): QueryReadings {
  if (mode === 'regex') {
    const limit = messageTimeLimit === undefined ? {} : { timeLimit: messageTimeLimit }
    const matcher = createRegexMatcher(query, { ignoreCase, ...limit })
    return { first: { level: 'asked', matcher: () => matcher }, looser: () => NONE }
  }
  if (mode === 'substring') {
    return { first: reading('asked', [{ kind: 'substring', text: checkQuery(query) }]), looser: () => NONE }
  }
  const terms = parseQuery(query)
  const asked = reading('asked', terms)
  if (level === undefined) return { first: asked, looser: () => looserReadings(terms) }
  const found = looserReadings(terms).readings.find((reading) => reading.level === level)
  return { first: found ?? asked, looser: () => NONE }
}

function looserReadings(asked: readonly QueryTerm[]): LooserReadings {
  const loose = loosenTerms(asked)
  const terms = loose?.terms ?? asked
  const changes = {
    ...(loose !== null && loose.ignored.length > 0 && { ignored: loose.ignored }),
    ...(loose !== null && loose.split.length > 0 && { split: loose.split }),
  }
  const readings = loose === null ? [] : [{ ...reading('loose', terms), ...changes }]
  if (terms.some(({ kind, quoted }) => kind !== 'substring' || quoted === true)) {
    // Words are looked up in another index than parts of them: other texts are looked at.
    const addsOnlyParts = loose === null && terms.every(({ kind }) => kind === 'substring')
    readings.push({ ...reading('substring', asSubstrings(terms)), ...changes, addsOnlyParts })
  }
  return { readings, terms: terms.length > 1 ? terms : [] }
}

function reading(level: SearchLevel, terms: readonly SearchTerm[]): Reading {
  return { level, matcher: () => createTermsMatcher(terms) }
}

/** Another reading of a query, and what it changes. */
interface LooseTerms {
  readonly terms: readonly QueryTerm[]
  /** Words that are left out: they say how something is asked. */
  readonly ignored: readonly string[]
  /** Terms that are taken as their words: `staging-host`. */
  readonly split: readonly string[]
}

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Co}_]+/u
const COMPOUND = /^[\p{L}\p{N}_][^*]*$/u

/**
 * The terms of a query without filler words, joined words one by one, and without punctuation that stands alone. Null
 * when that is what they are already, or when nothing would be left.
 */
function loosenTerms(terms: readonly QueryTerm[]): LooseTerms | null {
  const ignored: string[] = []
  const split: string[] = []
  const loose: QueryTerm[] = []
  for (const term of terms) {
    const words = term.quoted ? [] : wordsOf(term)
    if (words.length > 1) {
      split.push(term.text)
      loose.push(...words.map(readWord))
    } else if (isFiller(term) || (words.length === 0 && !term.quoted)) ignored.push(term.text)
    else loose.push(term)
  }
  const distinct = distinctTerms(loose)
  const isSame = ignored.length === 0 && split.length === 0
  if (isSame || distinct.length === 0 || distinct.length > MAX_TERMS) return null
  return { terms: distinct, ignored, split }
}

/** The words that punctuation joins; paths, flags and globs are one term each. */
function wordsOf({ kind, text }: SearchTerm): readonly string[] {
  const words = text.split(BETWEEN_WORDS).filter(Boolean)
  return kind === 'substring' && words.length > 1 && !COMPOUND.test(text) ? [text] : words
}

function isFiller({ kind, text }: SearchTerm): boolean {
  return kind === 'word' && FILLER_WORDS.has(text.toLowerCase())
}
