import { redactCommandPasswords } from './command-passwords.ts'
import { findNames, redactNamedSettings } from './named-settings.ts'
import { redactPrivateKeys } from './private-keys.ts'
import { CONTEXT_PATTERNS, hintsOf, type SecretPattern, TOKEN_PATTERNS } from './secret-patterns.ts'
import { isHarmless } from './secret-value.ts'

/**
 * Hides keys, tokens, passwords and private keys as `[REDACTED:kind]`; the name of a setting stays. Idempotent and
 * linear; a text without secrets is returned as the same string. References such as `process.env.API_KEY`,
 * `${TOKEN}`, paths and placeholders are left alone. A secret that looks like an ordinary word, or that nothing
 * announces, is not found.
 */
export function redactSecrets(text: string): string {
  const runs = tokenRuns(text)
  let result = redactPrivateKeys(text, runs, mark('private-key'))
  if (TOKEN_HINT.test(runs)) for (const pattern of TOKEN_PATTERNS) result = hide(result, pattern, runs)
  result = redactWrapped(result, runs, mark('base64'))
  for (const pattern of UNHINTED) result = hide(result, pattern, result)
  let names = findNames(result)
  if (names.isHinted) {
    for (const pattern of HINTED) result = hide(result, pattern, result)
    names = findNames(result)
  }
  const redacted = redactCommandPasswords(result, mark('command-line'))
  return redactNamedSettings(redacted, mark, redacted === result ? names : findNames(redacted))
}

/** One look for the hints of all patterns together, of which most texts have none. */
const TOKEN_HINT = new RegExp(hintsOf(TOKEN_PATTERNS))
const HINTED = CONTEXT_PATTERNS.filter(({ hint }) => hint !== undefined)
const UNHINTED = CONTEXT_PATTERNS.filter(({ hint }) => hint === undefined)

/** @param searched the part of the text in which the hint would stand. */
function hide(text: string, { kind, pattern, hint, beside, judge }: SecretPattern, searched: string): string {
  if (hint?.test(searched) === false || beside?.test(searched) === false) return text
  // A replacement by a function costs ten times the search, found or not.
  if (text.search(pattern) === -1) return text
  return text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1)
    const secret = typeof groups === 'object' ? (groups as { secret?: string } | null)?.secret : undefined
    if (secret === undefined) return mark(kind)
    if (isHarmless(secret) || judge?.(secret) === false) return match
    const at = match.lastIndexOf(secret)
    return match.slice(0, at) + mark(kind) + match.slice(at + secret.length)
  })
}

/** Base64 that may stand for ASCII: then the first of four digits has no more than five bits. */
const RUN = /(?<![A-Za-z0-9+/=_-])(?:[A-Za-f][A-Za-z0-9+/_-]{3}){6}[A-Za-z0-9+/_-]*={0,2}/g
const PRINTABLE = /^[\t\n\r -~]*$/
/** Characters that are decoded first: most of what looks like base64 is none, or not over text. */
const SAMPLE = 32

/** Hides base64 over a text in which secrets would be hidden. */
function redactWrapped(text: string, runs: string, mark: string): string {
  const isWrapped = (run: string): boolean => {
    if (!PRINTABLE.test(decode(run.slice(0, SAMPLE)) ?? '\0')) return false
    const decoded = decode(run)
    return decoded !== undefined && PRINTABLE.test(decoded) && redactSecrets(decoded) !== decoded
  }
  if (!runs.match(RUN)?.some(isWrapped)) return text
  return text.replace(RUN, (run) => (isWrapped(run) ? mark : run))
}

/** Undefined where it is no base64. */
function decode(run: string): string | undefined {
  const digits = run.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')
  try {
    return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
  } catch {
    return undefined
  }
}

function mark(kind: string): string {
  return `[REDACTED:${kind}]`
}

/** Characters that tokens, hashes and base64 are made of. */
const IS_PART = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_=-.$~:')
  IS_PART[character.charCodeAt(0)] = 1
/** The shortest token that a shape names has one more. */
const SHORTEST = 15

/**
 * The parts of a text in which tokens could be: what stands in one piece, a line for each. Mostly a small part of the
 * text, found without looking at each of its characters.
 */
export function tokenRuns(text: string): string {
  let runs = ''
  // No run begins before this place.
  let from = 0
  for (let at = SHORTEST - 1; at < text.length; at = from + SHORTEST - 1) {
    if (!isPart(text, at)) {
      from = at + 1
      continue
    }
    let start = at
    while (start > from && isPart(text, start - 1)) start--
    let end = at + 1
    while (end < text.length && isPart(text, end)) end++
    if (end - start >= SHORTEST) runs += `\n${text.slice(start, end)}`
    from = end + 1
  }
  return `${runs}\n`
}

function isPart(text: string, at: number): boolean {
  return IS_PART[text.charCodeAt(at)] === 1
}
