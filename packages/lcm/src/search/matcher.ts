import { createContext, Script } from 'node:vm'
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { errorText, InvalidOptionError, type SearchTerm } from '@palimpsest/core'
import { lazily } from '@palimpsest/core/options'
import { createTermFinder, nextCharacter, type Span, type TermFinder, type TextMatch } from './find-term.ts'
import { checkQuery, type QueryTerm, storeTerms } from './parse-query.ts'
import { PASSAGE_CHARACTERS } from './search-types.ts'

/** Decides which texts match: one definition for all stores. */
export interface Matcher {
  /** The way in which a text is matched: words in any form, beginnings of words, any part of a text, or a pattern. */
  readonly kind: 'word' | 'prefix' | 'substring' | 'regex'
  /** Terms that every matching text contains: an AND of ORs that lets a store leave out what cannot match. */
  readonly where: readonly (readonly SearchTerm[])[]
  /** Looks at texts in order until `enough` of them matched. */
  run(texts: readonly string[], enough: number): MatchedTexts
}

/** The result of a matcher for a run of texts. */
export interface MatchedTexts {
  /** One entry per text, from the first; null without a match. */
  readonly matches: readonly (TextMatch | null)[]
  /** The next text took longer than a text may take. */
  readonly slow: boolean
}

/** Occurrences that are counted in one text. More is no use to a reader. */
const MAX_OCCURRENCES = 1_000
/** How many occurrences of the rarest term are compared by the other terms around them. */
const ANCHORS = 50

/** Matches texts that hold all terms. */
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

/** Finished matches stay in `matches` after an interruption. */
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

/** Milliseconds that a pattern may take on one message: hundreds of times of what an honest pattern takes. */
const REGEX_TIME_LIMIT = 250

/**
 * Matches texts with a regular expression in JavaScript's syntax. `^` and `$` match the ends of lines. The
 * pattern is read with the `u` flag if it compiles with it, else without.
 *
 * @throws InvalidOptionError when the pattern does not compile.
 */
export function createRegexMatcher(
  source: string,
  { ignoreCase, timeLimit = REGEX_TIME_LIMIT }: { ignoreCase: boolean; timeLimit?: number | undefined },
): Matcher {
  const pattern = compile(checkQuery(source), ignoreCase ? 'gim' : 'gm')
  return {
    kind: 'regex',
    where: requiredLiterals(pattern),
    run(texts, enough) {
      const matches: (TextMatch | null)[] = []
      const look = () => matchTexts(texts, enough, (text) => matchPattern(pattern, text), matches)
      const finished = runTimeLimited(look, timeLimit)
      // A later text gets the whole time limit when it is the first of the next run.
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
        `query is no regular expression: ${errorText(error)}; escape special characters with \\, or use mode "substring"`,
        { cause: error },
      )
    }
  }
}

/** Shorter texts are no use to an index of three characters. */
const LEAST_LITERAL = 3

/**
 * The longest run of plain characters in each alternative of a pattern, one of which every match contains. Empty, so that
 * every text has to be looked at, when an alternative has none.
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
    // An assertion takes no characters, so its neighbours are side by side.
    if (element.type === 'Assertion') continue
    const text = element.type === 'Character' ? plainCharacter(element.value) : ''
    run = text === '' ? '' : run + text
    if (run.length > longest.length) longest = run
  }
  return longest
}

/**
 * Characters whose case mapping is the same everywhere: ASCII and caseless ones. Stores and languages fold others
 * differently. Surrogates and NUL are never indexed.
 */
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
 * Runs a synchronous task and interrupts it after a time limit in milliseconds, in the middle of a regular
 * expression too. False when it was interrupted; what the task did until then stays done.
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
