import { createContext, Script } from 'node:vm'
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { errorText, InvalidOptionError, type SearchTerm } from '@palimpsest/core'
import { lazily } from '@palimpsest/core/options'
import { createTermFinder, nextCharacter, type Span, type TermFinder, type TextMatch } from './find-term.ts'
import { checkQuery, type QueryTerm, storeTerms } from './parse-query.ts'
import { PASSAGE_CHARACTERS } from './search-types.ts'

export interface Matcher {
  readonly kind: 'word' | 'prefix' | 'substring' | 'regex'
  /** Terms that every matching text contains, as an AND of ORs, with which a store excludes texts. */
  readonly where: readonly (readonly SearchTerm[])[]
  run(texts: readonly string[], enough: number): MatchedTexts
}

export interface MatchedTexts {
  readonly matches: readonly (TextMatch | null)[]
  readonly slow: boolean
}

const MAX_OCCURRENCES = 1_000
const ANCHORS = 50

export function createTermsMatcher(terms: readonly QueryTerm[]): Matcher {
  const finders = terms.map(createTermFinder)
  return {
    kind:
      (['word', 'prefix', 'substring'] as const).find((one) => terms.some(({ kind }) => kind === one)) ??
      'word',
    where: terms.map(storeTerms),
    run: (texts, enough) => ({
      matches: matchTexts(texts, enough, (text) => matchAll(finders, text)),
      slow: false,
    }),
  }
}

function matchTexts(
  texts: readonly string[],
  enough: number,
  match: (text: string) => TextMatch | null,
  matches: (TextMatch | null)[] = [],
): readonly (TextMatch | null)[] {
  let found = 0
  for (const text of texts) {
    if (found === enough) break
    const one = match(text)
    if (one !== null) found++
    matches.push(one)
  }
  return matches
}

function matchAll(finders: readonly TermFinder[], text: string): TextMatch | null {
  const found: Span[][] = []
  for (const find of finders) {
    const spans: Span[] = []
    for (
      let span = find(text, 0);
      span !== null && spans.length < MAX_OCCURRENCES;
      span = find(text, span.end)
    )
      spans.push(span)
    if (spans.length === 0) return null
    found.push(spans)
  }
  const termsNear = ({ start }: Span) =>
    found.filter((spans) => spans.some((span) => Math.abs(span.start - start) < PASSAGE_CHARACTERS / 2))
      .length
  const [rarest = []] = found.toSorted((one, other) => one.length - other.length)
  let best: Span & { terms: number } = { start: 0, end: 0, terms: -1 }
  for (const anchor of rarest.slice(0, ANCHORS)) {
    const terms = termsNear(anchor)
    if (terms > best.terms) best = { ...anchor, terms }
    if (terms === finders.length) break
  }
  const count = found.reduce((sum, { length }) => sum + length, 0)
  return { count: Math.min(count, MAX_OCCURRENCES), start: best.start, end: best.end }
}

/** Time limit for a pattern on one message, in milliseconds: hundreds of times what a sound pattern needs. */
const REGEX_TIME_LIMIT = 250

/**
 * Matches texts with a JavaScript regular expression. `^` and `$` match at line ends. The pattern gets the flag `u` if
 * it compiles with it.
 *
 * @throws InvalidOptionError if the pattern does not compile.
 */
export function createRegexMatcher(source: string, ignoreCase: boolean): Matcher {
  const pattern = compile(checkQuery(source), ignoreCase ? 'gim' : 'gm')
  return {
    kind: 'regex',
    where: requiredLiterals(pattern),
    run(texts, enough) {
      const matches: (TextMatch | null)[] = []
      const look = () => matchTexts(texts, enough, (text) => matchPattern(pattern, text), matches)
      const finished = runTimeLimited(look, REGEX_TIME_LIMIT)
      // A slow text gets the whole time limit as the first of the next run.
      return { matches, slow: !finished && matches.length === 0 }
    },
  }
}

function matchPattern(pattern: RegExp, text: string): TextMatch | null {
  pattern.lastIndex = 0
  const first = pattern.exec(text)
  if (first === null) return null
  let count = 0
  for (let match: RegExpExecArray | null = first; match !== null && count < MAX_OCCURRENCES; count++) {
    if (match[0] === '') pattern.lastIndex = nextCharacter(text, match.index)
    match = pattern.exec(text)
  }
  return { count, start: first.index, end: first.index + first[0].length }
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    try {
      return new RegExp(source, flags)
    } catch (error) {
      throw new InvalidOptionError(
        'query',
        `query is not a regular expression: ${errorText(error)}; escape special characters with \\, or use mode "substring"`,
        { cause: error },
      )
    }
  }
}

/** A trigram index cannot use shorter texts. */
const LEAST_LITERAL = 3

/**
 * The longest literal run of each alternative of a pattern; every match contains one of them. Empty if an alternative
 * has none, so that every text has to be tried.
 */
function requiredLiterals(pattern: RegExp): Matcher['where'] {
  try {
    const { alternatives } = new RegExpParser().parsePattern(pattern.source, 0, pattern.source.length, {
      unicode: pattern.unicode,
    })
    const texts = alternatives.map(({ elements }) => longestLiteral(elements))
    if (texts.some(({ length }) => length < LEAST_LITERAL)) return []
    return [texts.map((text) => ({ kind: 'substring', text }))]
  } catch {
    // Syntax that the parser does not know.
    return []
  }
}

function longestLiteral(elements: readonly AST.Element[]): string {
  let longest = ''
  let run = ''
  for (const element of elements) {
    if (element.type === 'Assertion') continue
    const text = element.type === 'Character' ? plainCharacter(element.value) : ''
    run = text === '' ? '' : run + text
    if (run.length > longest.length) longest = run
  }
  return longest
}

/** Characters that every store folds alike: ASCII and caseless ones. Surrogates and NUL are never indexed. */
function plainCharacter(code: number): string {
  if (code === 0 || code === 0xfffd || (code >= 0xd800 && code <= 0xdfff)) return ''
  const text = String.fromCodePoint(code)
  const isPlain = code < 0x80 || (text.toLowerCase() === text && text.toUpperCase() === text)
  return isPlain ? text.toLowerCase() : ''
}

const limited = lazily(() => ({
  slot: createContext({ task: undefined as (() => unknown) | undefined }),
  runTask: new Script('task()'),
}))

/**
 * Interrupts a synchronous task after a time limit, even inside a regular expression. Finished work stays. Returns
 * false if it was interrupted.
 */
function runTimeLimited(task: () => unknown, milliseconds: number): boolean {
  const { slot, runTask } = limited()
  slot.task = task
  try {
    runTask.runInContext(slot, { timeout: milliseconds })
    return true
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    slot.task = undefined
  }
}
