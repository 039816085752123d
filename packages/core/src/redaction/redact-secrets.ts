import type { Message } from '../spec/v1/index.ts'
import { announcedPlaces } from './announcing-words.ts'
import { blank, blankRanges, type SecretRange, withoutBlanks } from './blanks.ts'
import { blankBroken } from './broken-tokens.ts'
import { blankColumns } from './columns.ts'
import { longWords } from './long-words.ts'
import { blankCommandPasswords, blankNamedSettings } from './named-settings.ts'
import { blankPrivateKeys } from './private-keys.ts'
import {
  CONTEXT_PATTERNS,
  isHarmless,
  mayMatch,
  type SecretPattern,
  TOKEN_PATTERNS,
} from './secret-patterns.ts'
import { viewsOf } from './text-views.ts'

/**
 * Hides keys, tokens, passwords and private keys as `[REDACTED:kind]`; the name of a setting stays. A secret is found
 * as the text writes it and as the text means it: escaped for JSON, addresses, source text, HTML or a terminal, and
 * broken over lines. Idempotent and linear; a text without secrets is returned as the same string. References such as
 * `process.env.API_KEY`, `${TOKEN}`, paths and placeholders are left alone. A secret that looks like an ordinary word,
 * or that nothing announces, is not found.
 */
export function redactSecrets(text: string): string {
  const ranges = viewsOf(text).flatMap(({ text: seen, begin, end }) =>
    blankRanges(blankSecrets(withoutBlanks(seen))).map((range) => ({
      ...{ kind: range.kind, start: begin(range.start), end: end(range.end - 1) },
    })),
  )
  return ranges.length === 0 ? text : withMarks(text, ranges)
}

function withMarks(text: string, ranges: readonly SecretRange[]): string {
  let result = ''
  let done = 0
  for (const { start, end, kind } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= done) result += `${text.slice(done, start)}[REDACTED:${kind}]`
    done = Math.max(done, end)
  }
  return result + text.slice(done)
}

function blankSecrets(text: string): string {
  let result = blankTokens(blankBroken(blankPrivateKeys(text)))
  result = CONTEXT_PATTERNS.reduce(hide, result)
  result = blankCommandPasswords(result)
  const places = announcedPlaces(result)
  return blankColumns(blankNamedSettings(result, places), places)
}

/** Searches the long words alone, which are a small part of most texts. */
function blankTokens(text: string): string {
  let result = text
  let words = longWords(text)
  for (const hideTokens of HIDE_TOKENS) {
    if (hideTokens(words) === words) continue
    result = hideTokens(result)
    words = longWords(result)
  }
  return result
}

function hide(text: string, secretPattern: SecretPattern): string {
  const { kind, pattern, beside, judge } = secretPattern
  if (!mayMatch(secretPattern, text) || beside?.test(text) === false) return text
  // Replacing by a function costs ten times a search, so it runs only after a match.
  if (text.search(pattern) === -1) return text
  return text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1)
    const secret = typeof groups === 'object' ? (groups as { secret?: string } | null)?.secret : undefined
    if (secret === undefined) return blank(kind, match.length)
    if (isHarmless(secret) || judge?.(secret) === false) return match
    const at = match.lastIndexOf(secret)
    return match.slice(0, at) + blank(kind, secret.length) + match.slice(at + secret.length)
  })
}

/** Base64 that may encode ASCII: the first of four digits then has at most five bits. */
const RUN = /(?<![A-Za-z0-9+/=_-])(?:[A-Za-f][A-Za-z0-9+/_-]{3}){6}[A-Za-z0-9+/_-]*={0,2}/g
const PRINTABLE = /^[\t\n\r -~]*$/
/** Characters decoded as a sample: most of what looks like base64 is not, or does not encode text. */
const SAMPLE = 32

function blankWrapped(text: string): string {
  const isWrapped = (run: string): boolean => {
    if (!PRINTABLE.test(decode(run.slice(0, SAMPLE)) ?? '\0')) return false
    const decoded = decode(run)
    return decoded !== undefined && PRINTABLE.test(decoded) && redactSecrets(decoded) !== decoded
  }
  if (!text.match(RUN)?.some(isWrapped)) return text
  return text.replace(RUN, (run) => (isWrapped(run) ? blank('base64', run.length) : run))
}

function decode(run: string): string | undefined {
  const digits = run.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')
  try {
    return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
  } catch {
    return undefined
  }
}

const HIDE_TOKENS = [...TOKEN_PATTERNS.map((token) => (text: string) => hide(text, token)), blankWrapped]

const NO_TEXT: ReadonlySet<string> = new Set([
  ...['role', 'type', 'id', 'tool_call_id', 'providerData', 'data', 'signature', 'encrypted_content'],
])

/**
 * Redacts a message for a summariser: its texts, the arguments of calls, and addresses. Returns the same object if it
 * has no secret.
 */
export function redactMessage(message: Message): Message {
  return redactValue(message) as Message
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const redacted = entries.map(
    ([name, inner]) => [name, NO_TEXT.has(name) ? inner : redactValue(inner)] as const,
  )
  if (redacted.every(([, inner], index) => inner === entries[index]?.[1])) return value
  return Array.isArray(value) ? redacted.map(([, inner]) => inner) : Object.fromEntries(redacted)
}
