import { createPause } from '../session/scheduling.ts'
import type { Message } from '../spec/v1/index.ts'
import { redactCommandPasswords, redactNamedSettings } from './named-settings.ts'
import { CONTEXT_PATTERNS, isHarmless, type SecretPattern, TOKEN_PATTERNS } from './secret-patterns.ts'

/**
 * Hides keys, tokens, passwords and private keys as `[REDACTED:kind]`; the name of a setting stays. Idempotent and
 * linear; a text without secrets is returned as the same string. References such as `process.env.API_KEY`,
 * `${TOKEN}`, paths and placeholders are left alone. A secret that looks like an ordinary word, or that nothing
 * announces, is not found.
 */
export function redactSecrets(text: string): string {
  let result = redactPrivateKeys(text, mark('private-key'))
  if (TOKEN_HINT.test(result)) result = TOKEN_PATTERNS.reduce(hide, result)
  result = CONTEXT_PATTERNS.reduce(hide, redactWrapped(result, mark('base64')))
  return redactNamedSettings(redactCommandPasswords(result, mark('command-line')), mark)
}

/** One look for the hints of all tokens together, of which most texts have none. */
const TOKEN_HINT = new RegExp(TOKEN_PATTERNS.flatMap(({ hint }) => hint?.source ?? []).join('|'))

function hide(text: string, { kind, pattern, hint, beside, judge }: SecretPattern): string {
  if (hint?.test(text) === false || beside?.test(text) === false) return text
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

function redactWrapped(text: string, mark: string): string {
  const isWrapped = (run: string): boolean => {
    if (!PRINTABLE.test(decode(run.slice(0, SAMPLE)) ?? '\0')) return false
    const decoded = decode(run)
    return decoded !== undefined && PRINTABLE.test(decoded) && redactSecrets(decoded) !== decoded
  }
  if (!text.match(RUN)?.some(isWrapped)) return text
  return text.replace(RUN, (run) => (isWrapped(run) ? mark : run))
}

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

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/
/** A longer block is no key: the end belongs to another one, and the text between is none. */
const MAX_KEY_CHARACTERS = 32_768
/**
 * Lines of base64 behind a beginning whose end was cut off, line breaks written out or not, with the headers that
 * some keys have. A short last line is told from a word by a digit or a sign in it.
 */
const GAP = String.raw`(?:\\{1,7}[nrt]|[\s"',|>]|(?<=\s)\+(?=\s)|[A-Z][A-Za-z-]{2,20}: [^\r\n\\]{0,80}(?=[\r\n\\]))*`
const BODY = new RegExp(
  // oxlint-disable-next-line regexp/no-super-linear-backtracking -- nothing that follows can fail
  `(?:${GAP}[A-Za-z0-9+/][A-Za-z0-9+/=]{19,})*(?:${GAP}(?=[A-Za-z]*[\\d+/=])[A-Za-z0-9+/=]+)?`,
  'y',
)

/** Lines as PEM and OpenSSH break them, 64 and 70 characters of base64, and a last one. */
const LINES =
  /(?:(?<![A-Za-z0-9+/=])|(?<=\\[nrt]))(?:(?:[A-Za-z0-9+/]{64}(?:\\{1,7}[nr]|[\s"',|>]){1,8}){2,}|(?:[A-Za-z0-9+/]{70}(?:\\{1,7}[nr]|[\s"',|>]){1,8}){2,})[A-Za-z0-9+/]{0,70}={0,2}/g
/** The text before lines that are meant to be read by others, such as those of a certificate. */
const PUBLIC = /-----BEGIN [A-Z0-9 ]{1,40}-----(?:\\{1,7}[nr]|\s){0,8}$/
/**
 * Hides private keys in PEM and PGP armour, also those whose beginning or end was cut off, and lines of base64 as broad
 * as those of keys. Linear.
 */
export function redactPrivateKeys(text: string, mark: string): string {
  const result = text.includes('PRIVATE KEY') ? redactArmour(text, mark) : text
  return result.replace(LINES, (lines, at: number) => {
    const isMixed = /[A-Z]/.test(lines) && /[a-z]/.test(lines) && /\d/.test(lines)
    return !isMixed || PUBLIC.test(result.slice(Math.max(0, at - 80), at)) ? lines : mark
  })
}

function redactArmour(text: string, mark: string): string {
  let result = ''
  let done = 0
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < done) continue
    const bodyStart = begin.index + begin[0].length
    result += text.slice(done, begin.index) + mark
    done = endOfKey(text, bodyStart)
  }
  return result + text.slice(done)
}

function endOfKey(text: string, bodyStart: number): number {
  const window = text.slice(bodyStart, bodyStart + MAX_KEY_CHARACTERS)
  const next = window.search(BEGIN)
  // The end of another key is none of this one, and is not searched for: that keeps many beginnings linear.
  const end = END.exec(next === -1 ? window : window.slice(0, next))
  if (end !== null) return bodyStart + end.index + end[0].length
  BODY.lastIndex = bodyStart
  return bodyStart + (BODY.exec(text)?.[0].length ?? 0)
}

const NO_TEXT: ReadonlySet<string> = new Set([
  ...['role', 'type', 'id', 'tool_call_id', 'providerData', 'data', 'signature', 'encrypted_content'],
])

/**
 * The message as a summariser may see it: secrets hidden in all its texts, in the arguments of calls and in addresses. The same
 * object when it holds no secret.
 */
export function redactMessage(message: Message): Message {
  return redactValue(message) as Message
}

/** The messages as a summariser may see them, in slices: a long history holds up nothing else. */
export async function redactMessages(messages: readonly Message[]): Promise<Message[]> {
  const pause = createPause()
  const redacted: Message[] = []
  for (const message of messages) {
    redacted.push(redactMessage(message))
    await pause()
  }
  return redacted
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('data:') ? value : redactSecrets(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const redacted = entries.map(
    ([name, inner]) => [name, NO_TEXT.has(name) ? inner : redactValue(inner)] as const,
  )
  if (redacted.every(([, inner], index) => inner === entries[index]?.[1])) return value
  return Array.isArray(value) ? redacted.map(([, inner]) => inner) : Object.fromEntries(redacted)
}
