import { InvalidOptionError, type SearchTerm } from '@palimpsest/core'
import { readForms, type WordForms } from './word-forms.ts'

/** Longer queries are pasted texts, not questions. */
export const MAX_QUERY_CHARACTERS = 2_000
export const MAX_TERMS = 32

/** A quoted phrase, perhaps with punctuation around it, or a run without spaces. */
// oxlint-disable-next-line regexp/no-super-linear-move -- a query has at most 2,000 characters
const TOKEN = /[([{]*"([^"]+)"[)\]}.,;:!?]*(?=\s|$)|\S+/g
const WORD = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9_]+$/u
const CASELESS_LETTERS = /[ªº]/

export interface QueryTerm extends SearchTerm {
  /** True for a quoted term, which matches exactly, and inside longer words only if nothing else is found. */
  readonly quoted?: true
  readonly forms?: WordForms | undefined
}

/**
 * Parses a query into terms, all of which a text must contain. Runs of Latin, Greek or Cyrillic letters, digits and
 * underscores match whole words; `word*` matches the start of one; a quoted phrase matches between word boundaries;
 * everything else matches anywhere. Punctuation around unquoted terms is ignored. There are no operators.
 *
 * @throws InvalidOptionError if the query is empty, too long, or has too many terms.
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

export function distinctTerms<Term extends SearchTerm>(terms: readonly Term[]): readonly Term[] {
  return [...new Map(terms.map((term) => [`${term.kind} ${term.text.toLowerCase()}`, term])).values()]
}

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

export async function withForms(terms: readonly QueryTerm[]): Promise<readonly QueryTerm[]> {
  const formsOf = await readForms()
  return terms.map((term) => (term.kind === 'word' ? { ...term, forms: formsOf(term.text) } : term))
}

export function storeTerms({ kind, text, forms }: QueryTerm): readonly SearchTerm[] {
  return forms?.starts.map((start) => ({ kind: 'prefix', text: start })) ?? [{ kind, text }]
}

export function asPrefixes(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  return terms.map((term) => (term.kind === 'word' ? { kind: 'prefix', text: term.text } : term))
}

export function asSubstrings(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  return terms.map(({ text }) => ({ kind: 'substring', text }))
}

function readWord(token: string): SearchTerm {
  if (isWord(token)) return { kind: 'word', text: token }
  const stem = token.endsWith('*') ? token.slice(0, -1) : ''
  return isWord(stem) ? { kind: 'prefix', text: stem } : { kind: 'substring', text: token }
}

export function isWord(token: string): boolean {
  return WORD.test(token) && !CASELESS_LETTERS.test(token)
}

/** Sentence punctuation around a word. A leading dot belongs to a path: `./src`, `.env`. */
const SENTENCE = {
  front: ',;:!?¿¡，。！？、；：',
  back: '.,;:!?…，。！？、；：',
}
const ENCLOSING = {
  front: '"\'`“”‘’«»「」『』《》（([{<',
  back: '"\'`“”‘’«»「」『』《》）)\\]}>',
}
/** Inside a term these characters indicate code, whose ends are not punctuation: `{"path":"a"}`, `a[0]`. */
const CODE = /["`([{<>)\]}]/
const WORD_CHARACTER = /[\p{L}\p{N}_]/u

const BARE = trimmer(SENTENCE.front + ENCLOSING.front, SENTENCE.back + ENCLOSING.back)
const UNPUNCTUATED = trimmer(SENTENCE.front, SENTENCE.back)

function bareToken(token: string): string {
  if (!WORD_CHARACTER.test(token)) return token
  const bare = token.replace(BARE, '')
  return CODE.test(bare) ? token.replace(UNPUNCTUATED, '') : bare
}

function trimmer(front: string, back: string): RegExp {
  return new RegExp(`^[${front.replaceAll('[', '\\[')}]+|(?<![${back}])[${back}]+$`, 'gu')
}
