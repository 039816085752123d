import { errorText, InvalidOptionError } from '@palimpsest/core'
import { nextCharacter } from './find-term.ts'
import { MAX_OCCURRENCES, type Matcher, matchTexts, type TextMatch } from './matcher.ts'
import { checkQuery } from './parse-query.ts'
import { requiredLiterals } from './required-literals.ts'
import { runTimeLimited } from './time-limited.ts'

/** Milliseconds that a pattern may take on one message: hundreds of times of what an honest pattern takes. */
const REGEX_TIME_LIMIT = 250

/**
 * Matches texts with a regular expression in JavaScript's syntax. `^` and `$` stand for the ends of lines. The
 * pattern is read with the `u` flag if it compiles with it, else without.
 *
 * @throws InvalidOptionError when the pattern does not compile.
 */
export function createRegexMatcher(
  source: string,
  { ignoreCase, timeLimit = REGEX_TIME_LIMIT }: { ignoreCase: boolean; timeLimit?: number },
): Matcher {
  const pattern = compile(checkQuery(source), ignoreCase ? 'gim' : 'gm')
  return {
    kind: 'regex',
    where: requiredLiterals(pattern),
    run(texts, enough) {
      const matches: (TextMatch | null)[] = []
      const look = () => matchTexts(texts, enough, (text) => matchText(pattern, text), matches)
      const finished = runTimeLimited(look, timeLimit)
      // A text behind others gets the whole time limit when it is the first of the next run.
      return { matches, slow: !finished && matches.length === 0 }
    },
  }
}

function matchText(pattern: RegExp, text: string): TextMatch | null {
  pattern.lastIndex = 0
  const first = pattern.exec(text)
  if (first === null) return null
  const { index: start } = first
  const end = start + first[0].length
  let count = 0
  for (let match: RegExpExecArray | null = first; match !== null && count < MAX_OCCURRENCES; count++) {
    if (match[0] === '') pattern.lastIndex = nextCharacter(text, match.index)
    match = pattern.exec(text)
  }
  return { count, start, end }
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
