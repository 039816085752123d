import type { SearchTerm } from '@palimpsest/core'
import { isWord } from './parse-query.ts'

/** English words that say how something is asked, not what is asked. */
const FILLER_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being between but by can could did do ' +
    'does doing done during each for from had has have having he her here him his how i if in into is it its just me ' +
    'more most my no not of off on once only or other our out over own please same she should so some such tell than ' +
    'that the their them then there these they this those through to too under until up us use used very was we were ' +
    'what when where which while who whom whose why will with would you your'
  ).split(' '),
)

/** Terms of a question that are searched for: the first ones. */
const MAX_TERMS = 12
/** Letters of a word that are left when an ending is cut off, at least. */
const MIN_STEM = 4
const ENDING = /(?:ings?|ed|es|s)$/
const BEFORE = /^[^\p{L}\p{N}_/.~@#$-]+/u
const AFTER = /(?<![^\p{L}\p{N}_/])[^\p{L}\p{N}_/]+$/u
/** Words that may as well be written with a space between: `staging-host`. */
const JOINED = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+$/u
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu

/** A term of a question. */
export interface QuestionTerm extends SearchTerm {
  /** The word itself, when other words that begin like it count too. */
  readonly exact?: string
}

/**
 * The terms to look for to answer a question: words without their endings, paths and names as they are, pairs of
 * characters in scripts without spaces. Words that only make it a question are left out, unless there are no others.
 */
export function questionTerms(question: string): readonly QuestionTerm[] {
  const all = question.split(/\s+/).flatMap((token) => tokenTerms(token))
  const telling = all.filter(({ kind, text }) => kind === 'substring' || !FILLER_WORDS.has(text))
  const terms = (telling.length > 0 ? telling : all).map(stem)
  return [...new Map(terms.map((term) => [term.text, term])).values()].slice(0, MAX_TERMS)
}

function tokenTerms(token: string): SearchTerm[] {
  const runs = [...token.matchAll(UNSPACED)].flatMap(([run]) => pairs(run))
  const rest = token.replace(UNSPACED, ' ').split(' ')
  const words = rest
    .map((part) => part.replace(AFTER, '').replace(BEFORE, '').toLowerCase())
    .flatMap((part) => (JOINED.test(part) ? [part, ...part.split('-')] : [part]))
    .filter((part) => part.length > 1)
  return [...runs, ...words].map((text) => ({ kind: isWord(text) ? 'word' : 'substring', text }))
}

function pairs(run: string): string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function stem(term: SearchTerm): QuestionTerm {
  if (term.kind !== 'word') return term
  const text = term.text.replace(ENDING, '')
  return text.length >= MIN_STEM ? { kind: 'prefix', text, exact: term.text } : term
}
