import { InvalidOptionError, type SearchTerm } from '@palimpsest/core'
import { readForms, type WordForms } from './word-forms.ts'

/** Characters of a query at most. A longer one is a pasted text, not a question. */
export const MAX_QUERY_CHARACTERS = 2_000
/** Terms of a query at most. */
export const MAX_TERMS = 32

/** A quoted phrase, with punctuation around it or not, or a run without spaces. */
// oxlint-disable-next-line regexp/no-super-linear-move -- a query has at most 2,000 characters
const TOKEN = /[([{]*"([^"]+)"[)\]}.,;:!?]*(?=\s|$)|\S+/g
/** Scripts that write words with spaces between, so that an index by words finds them. */
const WORD = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9_]+$/u
const CASELESS_LETTERS = /[ªº]/

export interface QueryTerm extends SearchTerm {
  /** It stood in quotation marks: exactly that, and no part of a longer word unless nothing else is found. */
  readonly quoted?: true
  /** The word's forms, each of which counts too. */
  readonly forms?: WordForms | undefined
}

/**
 * The terms of a query, all of which a text must contain. Words of Latin, Greek or Cyrillic letters, digits and
 * underscores are whole words, `word*` is the beginning of one; a quoted phrase means itself between words, everything
 * else anywhere in a text. Punctuation around an unquoted term is none of it. There are no operators.
 *
 * @throws InvalidOptionError when the query is empty, too long, or has too many terms.
 */
export function parseQuery(query: string): readonly QueryTerm[] {
  const tokens = checkQuery(query).matchAll(TOKEN)
  const terms = distinctTerms<QueryTerm>(
    Array.from(tokens, ([token, phrase]) =>
      phrase === undefined
        ? readWord(isWord(token) ? token : bareToken(token))
        : { kind: 'substring', text: phrase, quoted: true },
    ),
  )
  if (terms.length > MAX_TERMS) {
    throw new InvalidOptionError('query', `query has ${terms.length} terms; use at most ${MAX_TERMS}`)
  }
  return terms
}

/** Each term once. */
export function distinctTerms<Term extends SearchTerm>(terms: readonly Term[]): readonly Term[] {
  return [...new Map(terms.map((term) => [`${term.kind} ${term.text.toLowerCase()}`, term])).values()]
}

/** The query. @throws InvalidOptionError when it is empty or too long. */
export function checkQuery(query: string): string {
  if (query.length > MAX_QUERY_CHARACTERS) {
    throw new InvalidOptionError(
      'query',
      `query has ${query.length} characters; use at most ${MAX_QUERY_CHARACTERS}: a few distinctive words`,
    )
  }
  if (query.trim() === '') throw new InvalidOptionError('query', 'query is empty; say what to search for')
  return query
}

/** The terms; each word with its forms. */
export async function withForms(terms: readonly QueryTerm[]): Promise<readonly QueryTerm[]> {
  const formsOf = await readForms()
  return terms.map((term) => (term.kind === 'word' ? { ...term, forms: formsOf(term.text) } : term))
}

/** The store's search terms for a query term: every matching text has one of them. */
export function storeTerms({ kind, text, forms }: QueryTerm): readonly SearchTerm[] {
  return forms?.starts.map((start) => ({ kind: 'prefix', text: start })) ?? [{ kind, text }]
}

/** The same terms, words as beginnings of words. */
export function asPrefixes(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  return terms.map((term) => (term.kind === 'word' ? { kind: 'prefix', text: term.text } : term))
}

/** The same terms, found anywhere in a text. */
export function asSubstrings(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  return terms.map(({ text }) => ({ kind: 'substring', text }))
}

/** The term for a run without spaces. */
function readWord(token: string): SearchTerm {
  if (isWord(token)) return { kind: 'word', text: token }
  const stem = token.endsWith('*') ? token.slice(0, -1) : ''
  return isWord(stem) ? { kind: 'prefix', text: stem } : { kind: 'substring', text: token }
}

/** True for a run of letters, digits and underscores of a script that puts spaces between its words. */
export function isWord(token: string): boolean {
  return WORD.test(token) && !CASELESS_LETTERS.test(token)
}

/** Sentence punctuation around a word. A leading dot belongs to a path: `./src`, `.env`. */
const SENTENCE = {
  front: ',;:!?¿¡，。！？、；：',
  back: '.,;:!?…，。！？、；：',
}
/** Quotation marks and brackets. */
const ENCLOSING = {
  front: '"\'`“”‘’«»「」『』《》（([{<',
  back: '"\'`“”‘’«»「」『』《》）)\\]}>',
}
/** Inside a term these make it code, whose own ends are no punctuation: `{"path":"a"}`, `a[0]`. */
const CODE = /["`([{<>)\]}]/
const WORD_CHARACTER = /[\p{L}\p{N}_]/u

const BARE = trimmer(SENTENCE.front + ENCLOSING.front, SENTENCE.back + ENCLOSING.back)
const UNPUNCTUATED = trimmer(SENTENCE.front, SENTENCE.back)

/**
 * A query word without surrounding punctuation. Paths, flags, globs (`./src`, `--flag`, `foo*`), code and pure
 * punctuation stay unchanged.
 */
function bareToken(token: string): string {
  if (!WORD_CHARACTER.test(token)) return token
  const bare = token.replace(BARE, '')
  return CODE.test(bare) ? token.replace(UNPUNCTUATED, '') : bare
}

function trimmer(front: string, back: string): RegExp {
  return new RegExp(`^[${front.replaceAll('[', '\\[')}]+|(?<![${back}])[${back}]+$`, 'gu')
}
