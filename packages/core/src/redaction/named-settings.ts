import { isCode, isHarmless, isProse, SHORTEST_SECRET_CHARACTERS } from './secret-value.ts'

/**
 * The end of a setting's name up to its value: `API_KEY=`, `"clientSecret": `, `db_password := `, also inside JSON
 * that was written into a text. What stands before the word is looked at by itself, so that this stays cheap.
 */
const SETTING =
  /(?<word>key|secret|token|passw(?:or)?d|passphrase|pwd|credential)(?<suffix>[\w-]{0,40})\\{0,3}["'`]?[ \t]{0,4}(?<operator>=>|:=|=(?!=)|:)[ \t]{0,4}/gi

/** The names of secret keys. A public key, a cache key or a primary key is none. */
const SECRET_KEY =
  /(?:api|access|secret|private|signing|encryption|account|auth|master|service|shared)[_-]?$/i

/** Ends of names that speak about a secret and do not hold one: `token_count`, `passwordField`. */
const ABOUT =
  /(?:name|id|type|kind|url|uri|endpoint|path|file|dir|folder|count|counter|limit|length|size|budget|usage|used|total|expiry|expires|expiresin|expiration|ttl|field|label|input|hint|placeholder|policy|izer|ization|ize|ized|regex|pattern|prefix|format|version|provider|store|manager|service|header|param|parameter|schema|column|index)s?$/i

const QUOTE = /(?:[fbru]{1,2})?(\\{0,3})(["'`])/y
/** Up to white space or what ends a value in code, JSON and shells; `\n` inside a JSON text ends it too. */
const BARE = /(?:[^\s"'`,;&<>(){}[\]\\]|\\(?![nrt"'\\]))+/y
/** A line of an environment file: everything up to white space is the value. */
const ENVIRONMENT_VALUE = /(?:[^\s"'`\\]|\\(?![nrt"'\\]))+/y

/** The part of a text that is a value of a setting. */
interface Value {
  readonly start: number
  readonly end: number
  /** Empty when it is not quoted. */
  readonly quote: string
}

/** Hides the values of settings whose names say that they are secret; the names stay. Linear. */
export function redactNamedSettings(text: string, mark: string): string {
  let result = ''
  let done = 0
  for (const match of text.matchAll(SETTING)) {
    const { word = '', suffix = '', operator = '' } = match.groups ?? {}
    if (match.index < done || !isSecretName(text, match.index, word, suffix)) continue
    const isEnvironment = operator === '=' && /^[A-Z0-9_]+=$/.test(match[0])
    const value = readValue(text, match.index + match[0].length, isEnvironment)
    if (value === undefined || !isSecret(text, value, word, isEnvironment)) continue
    result += text.slice(done, value.start) + mark
    done = value.end
  }
  return done === 0 ? text : result + text.slice(done)
}

function isSecretName(text: string, wordStart: number, word: string, suffix: string): boolean {
  if (suffix !== '' && ABOUT.test(suffix.replaceAll(/[_-]/g, ''))) return false
  return word.toLowerCase() !== 'key' || SECRET_KEY.test(text.slice(Math.max(0, wordStart - 12), wordStart))
}

function readValue(text: string, at: number, isEnvironment: boolean): Value | undefined {
  QUOTE.lastIndex = at
  const quote = QUOTE.exec(text)
  if (quote !== null) {
    const start = at + quote[0].length
    const mark = quote[2] ?? '"'
    const end = endOfQuoted(text, start, mark)
    if (end !== undefined) return { start, end, quote: mark }
    // The quote is not closed on this line: perhaps the text was cut off here.
    return readBare(text, start, false)
  }
  return readBare(text, at, isEnvironment)
}

function readBare(text: string, start: number, isEnvironment: boolean): Value | undefined {
  const pattern = isEnvironment ? ENVIRONMENT_VALUE : BARE
  pattern.lastIndex = start
  const match = pattern.exec(text)
  return match === null ? undefined : { start, end: start + match[0].length, quote: '' }
}

/** Where a quoted value ends: before its quote, and before the backslashes that escape that quote inside JSON. */
function endOfQuoted(text: string, start: number, quote: string): number | undefined {
  let end = start
  while (end < text.length && text[end] !== quote) {
    if (text[end] === '\n' || text[end] === '\r') return undefined
    end++
  }
  if (end === text.length) return undefined
  while (end > start && text[end - 1] === '\\') end--
  return end
}

function isSecret(text: string, { start, end, quote }: Value, word: string, isEnvironment: boolean): boolean {
  const value = text.slice(start, end)
  if (value.length < SHORTEST_SECRET_CHARACTERS || isHarmless(value)) return false
  const isPassword = /^p/i.test(word)
  if (/^\d{1,12}$/.test(value)) return isPassword
  if (quote === '`' && isCode(value)) return false
  if (quote !== '') return word.toLowerCase() === 'passphrase' || !isProse(value)
  if (isEnvironment) return true
  // What is called or indexed is code.
  return !isCode(value) && text[end] !== '(' && text[end] !== '['
}
