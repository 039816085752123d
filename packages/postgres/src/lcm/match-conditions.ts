import type { SearchTerm } from '@palimpsest/lcm'
import { cjkGrams, foldText, storableCopy, termWords } from '@palimpsest/lcm/store-kit'
import type { SqlValue } from '../database/sql.ts'
import { indexedWord, TOO_MANY_WORDS } from './indexed-text.ts'

/** A condition that no matching row fails, and the values of its parameters. */
export interface MatchCondition {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** Characters that the index of parts needs at least. */
const TRIGRAM = 3

/** Makes the next parameter of a statement; returns its name. */
type AddValue = (value: SqlValue) => string

/** The condition on a term of a table that has the columns for it. */
type TermCondition = (term: SearchTerm, add: AddValue) => string

/**
 * The condition for messages. Words go to the index of words, everything else to that of trigrams, with the index of
 * grams where characters stand for words.
 *
 * @param before The number of parameters before these.
 */
export function matchMessages(where: readonly (readonly SearchTerm[])[], before: number): MatchCondition {
  return match(where, before, (term, add) => wordCondition(term, add) ?? partCondition(term, add, true))
}

/** The same for summaries, of which only trigrams are indexed. */
export function matchSummaries(where: readonly (readonly SearchTerm[])[], before: number): MatchCondition {
  return match(where, before, (term, add) => partCondition(term, add, false))
}

/** The lists of terms that an index helps with: each of their terms is a word, or as long as a trigram. */
export function indexedLists(
  where: readonly (readonly SearchTerm[])[],
  hasWords: boolean,
): readonly (readonly SearchTerm[])[] {
  const isIndexed = (term: SearchTerm): boolean => {
    const text = foldText(storableCopy(term.text))
    if ([...text].length >= TRIGRAM) return true
    return hasWords && ((termWords(term)?.length ?? 0) > 0 || wantedGrams(text).length > 0)
  }
  return where.filter((terms) => terms.length > 0 && terms.every(isIndexed))
}

function match(
  where: readonly (readonly SearchTerm[])[],
  before: number,
  conditionOf: TermCondition,
): MatchCondition {
  const values: SqlValue[] = []
  const add: AddValue = (value) => `$${before + values.push(value)}`
  const lists = where.filter((terms) => terms.length > 0)
  const text = lists.map((terms) => ` AND (${terms.map((term) => conditionOf(term, add)).join(' OR ')})`)
  return { text: text.join(''), values }
}

function wordCondition(term: SearchTerm, add: AddValue): string | undefined {
  const words = termWords(term)
  if (words === null || words.length === 0) return undefined
  // Words are letters, digits and underscores: nothing in them has to be escaped.
  const lexemes = words.map(({ word, open }) => `'${indexedWord(word)}'${open ? ':*' : ''}`)
  return `words @@ ${add(`(${lexemes.join(' & ')}) | '${TOO_MANY_WORDS}'`)}::tsquery`
}

/** Every kind of term stands somewhere in the text. */
function partCondition({ text }: SearchTerm, add: AddValue, hasGrams: boolean): string {
  const storable = storableCopy(text)
  const pattern = foldText(storable).replace(/[\\%_]/g, '\\$&')
  const part = `folded LIKE ${add(`%${pattern}%`)}`
  const grams = hasGrams ? wantedGrams(storable) : []
  return grams.length === 0 ? part : `(grams @> ${add(grams)} AND ${part})`
}

/** Two characters that stand side by side are rarer than one. */
function wantedGrams(text: string): readonly string[] {
  const grams = [...cjkGrams(text)]
  const pairs = grams.filter((gram) => [...gram].length === 2)
  return pairs.length > 0 ? pairs : grams
}
