import { blank } from './blanks.ts'
import { isRandom, mayMatch, TOKEN_PATTERNS } from './secret-patterns.ts'

const NEXT =
  /["'`]?[ \t]{0,80}[\\+]?[ \t]{0,8}\r?\n[ \t>|+]{0,80}["'`]?(?<rest>[\w.+/=~-]{4,300})(?![^\s"'`\\,;)\]}>])(?<end>["'`]?[ \t]{0,8}[\\+]?[ \t]{0,8}(?:\r?\n|$))?/y
const WORD = /[\w.+/=~-]/
const MAX_HEAD = 300
const MAX_LINES = 12
/** Shorter words at the end of a line do not start a token. */
const SHORTEST = 8
/** A digit, an inner capital, or many capitals do not occur in a word. */
const MIXED = /\d|[a-z][A-Z]|[A-Z]{10}/

/** Blanks tokens that continue on the next lines. Linear. */
export function blankBroken(text: string): string {
  let result = ''
  let done = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at < done) continue
    const end = endOfWord(text, at)
    const start = beginOfWord(text, end)
    const found = start < done || end - start < SHORTEST ? undefined : brokenAt(text, start, end)
    if (found === undefined) continue
    result += text.slice(done, found.start) + blank(found.kind, found.end - found.start)
    done = found.end
  }
  return done === 0 ? text : result + text.slice(done)
}

function brokenAt(text: string, start: number, end: number) {
  const word = text.slice(start, end)
  if (!MIXED.test(word)) return undefined
  let token = word
  let last = end
  for (let line = 0; line < MAX_LINES; line++) {
    NEXT.lastIndex = last
    const { rest = '', end: isWhole } = NEXT.exec(text)?.groups ?? {}
    const goesOn = isRandom(rest) || (isWhole !== undefined && MIXED.test(rest))
    if (!goesOn || isToken(rest)) break
    token += rest
    last = text.indexOf(rest, last) + rest.length
  }
  if (last === end) return undefined
  for (const secret of TOKEN_PATTERNS) {
    const match = mayMatch(secret, token) ? [...token.matchAll(secret.pattern)].at(-1) : undefined
    if (match !== undefined && match.index + match[0].length > word.length)
      return { kind: secret.kind, start: start + match.index, end: last }
  }
  return undefined
}

/** A complete token does not end another one. */
function isToken(word: string): boolean {
  return TOKEN_PATTERNS.some((secret) => mayMatch(secret, word) && word.search(secret.pattern) !== -1)
}

function endOfWord(text: string, newline: number): number {
  let at = newline
  while (at > 0 && newline - at < MAX_HEAD && ' \t\r\\+"\'`'.includes(text[at - 1] ?? '')) at--
  return at
}

function beginOfWord(text: string, end: number): number {
  let at = end
  while (at > 0 && end - at < MAX_HEAD && WORD.test(text[at - 1] ?? '')) at--
  return at
}
