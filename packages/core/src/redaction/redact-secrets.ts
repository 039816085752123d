import { redactCommandPasswords } from './command-passwords.ts'
import { CONTEXT_PATTERNS } from './context-patterns.ts'
import { redactNamedSettings } from './named-settings.ts'
import { redactPrivateKeys } from './private-keys.ts'
import { type SecretPattern, TOKEN_PATTERNS } from './secret-patterns.ts'
import { isHarmless } from './secret-value.ts'
import { tokenRuns } from './token-runs.ts'

/**
 * Hides keys, tokens, passwords and private keys as `[REDACTED:kind]`; the name of a setting stays. Idempotent and
 * linear; a text without secrets is returned as the same string. References such as `process.env.API_KEY`,
 * `${TOKEN}`, paths and placeholders are left alone. A secret that looks like an ordinary word, or that nothing
 * announces, is not found.
 */
export function redactSecrets(text: string): string {
  const runs = tokenRuns(text)
  let result = redactPrivateKeys(text, runs, mark('private-key'))
  for (const pattern of possible(TOKENS, runs)) result = hide(result, pattern, runs)
  result = redactWrapped(result, runs, mark('base64'))
  for (const pattern of possible(CONTEXTS, result)) result = hide(result, pattern, result)
  result = redactCommandPasswords(result, mark('command-line'))
  return redactNamedSettings(result, mark)
}

const TOKENS = hinted(TOKEN_PATTERNS)
const CONTEXTS = hinted(CONTEXT_PATTERNS)

/** Patterns with one look for all their hints together, of which most texts have none. */
function hinted(patterns: readonly SecretPattern[]) {
  const hints = patterns.flatMap(({ hint }) => hint?.source ?? [])
  return {
    patterns,
    hint: new RegExp(hints.join('|')),
    unhinted: patterns.filter(({ hint }) => hint === undefined),
  }
}

function possible({ patterns, hint, unhinted }: ReturnType<typeof hinted>, searched: string) {
  return hint.test(searched) ? patterns : unhinted
}

/** @param searched the part of the text in which the hint would stand. */
function hide(text: string, { kind, pattern, hint, beside, judge }: SecretPattern, searched: string): string {
  if (hint?.test(searched) === false || beside?.test(searched) === false) return text
  return text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1)
    const secret = typeof groups === 'object' ? (groups as { secret?: string } | null)?.secret : undefined
    if (secret === undefined) return mark(kind)
    if (isHarmless(secret) || judge?.(secret) === false) return match
    const at = match.lastIndexOf(secret)
    return match.slice(0, at) + mark(kind) + match.slice(at + secret.length)
  })
}

const RUN = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{24,}={0,2}/g
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
