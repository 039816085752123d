import { ANNOUNCING, announcesPassword, isAnnounced, isShortWord } from './announcing-words.ts'
import { blank } from './blanks.ts'
import {
  isCode,
  isHarmless,
  isName,
  isProse,
  isRandom,
  SHORTEST_SECRET_CHARACTERS,
} from './secret-patterns.ts'

export interface Value {
  readonly start: number
  readonly end: number
  readonly quote: string
}

/**
 * The end of an unquoted value: white space; white space or the end of a passphrase; or white space if nothing follows
 * on the line. Default: the end of a value in code.
 */
export type Extent = 'word' | 'words' | 'line'

const QUOTE = /(?:[fbru]{1,2})?(\\{0,7})(["'`“「])/y
/** A value ends at white space or at delimiters of code, JSON and shells; also at `\n` inside a JSON text. */
const BARE = /(?:[^\s"'`,;&<>(){}[\]\\]|\\(?![nrt"'\\]))+/y
const UNQUOTED_WORD = /(?:[^\s"'`\\]|\\(?![nrt"'\\]))+/y
const LINE =
  /(?:[^\s"'`\\(){}[\]<>]|\\(?![nrt"'\\]))+(?<![,;])(?=[ \t]{0,8}(?:$|[\r\n]|\\{0,7}["']|\\{1,7}[nrt]))/y
const MORE_WORDS = /(?:[ \t][\p{L}\d'!?,]{1,30}){1,12}(?=[ \t]{0,8}(?:$|[\r\n]|\\{0,7}["']|\\{1,7}[nrt]))/uy

export function readValue(text: string, at: number, extent?: Extent): Value | undefined {
  QUOTE.lastIndex = at
  const quote = QUOTE.exec(text)
  if (quote !== null) {
    const start = at + quote[0].length
    const mark = CLOSING[quote[2] ?? ''] ?? quote[2] ?? '"'
    const end = endOfQuoted(text, start, mark, quote[1]?.length ?? 0)
    if (end !== undefined) return { start, end, quote: mark }
    // An unclosed quote: the text may have been cut here.
    return readBare(text, start, undefined)
  }
  return readBare(text, at, extent)
}

const CLOSING: Readonly<Record<string, string>> = { '“': '”', '「': '」' }

function readBare(text: string, start: number, extent: Extent | undefined): Value | undefined {
  const end =
    (extent === 'line' ? endOf(LINE, text, start) : undefined) ??
    endOf(extent === undefined || extent === 'line' ? BARE : UNQUOTED_WORD, text, start)
  if (end === undefined) return undefined
  return { start, end: (extent === 'words' ? endOf(MORE_WORDS, text, end) : undefined) ?? end, quote: '' }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/**
 * A quoted value ends before its quote and the backslashes that escape it in JSON. A quote with more backslashes is
 * part of the value.
 */
function endOfQuoted(text: string, start: number, quote: string, depth: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\n' || character === '\r') return undefined
    if (character !== quote) continue
    let end = at
    while (end > start && text[end - 1] === '\\') end--
    if (at - end <= depth) return end
  }
  return undefined
}

/**
 * The end of a setting's name up to its value: `API_KEY=`, `"clientSecret": `, `<password>`, `--token `, `"name":
 * "DB_PASSWORD", "value": `, `env["X_TOKEN"] = `, `set("db.password", `, `setToken(`, `**Password:** `, `the password
 * is `; also inside JSON that was written into a text. The text before the word is checked separately, which keeps this
 * cheap.
 */
const SETTING = new RegExp(
  String.raw`(?<word>${ANNOUNCING})(?<suffix>[\w-]{0,40})\\{0,7}["'\x60]?[\])]?[*_]{0,3}` +
    String.raw`(?:[ \t]{0,4}(?<operator>=>|:=|=(?!=)|[:：>|])[*_]{0,3}` +
    String.raw`|(?:\\{1,7}[nrt]|[\s,]){1,30}\\{0,7}["'\x60]?(?<pair>value)\\{0,7}["'\x60]?[ \t]{0,4}[:=]` +
    String.raw`|[ \t]{0,4}(?<call>[,(])(?=\s{0,8}\\{0,7}["'\x60])` +
    String.raw`|[ \t]{0,2}(?<verb>[ \t](?:is|was|ist|war|lautet|es|est|é|è|jest|är|er)[ \t]|是|为|為|は|는|은)|[ \t])\s{0,4}`,
  'iy',
)

/** Suffixes of names that describe a secret: `token_count`, `passwordField`. */
const ABOUT =
  /(?:name|id|type|kind|url|uri|endpoint|path|file|dir|folder|count|counter|limit|length|size|budget|usage|used|total|expiry|expires|expiresin|expiration|ttl|field|label|input|hint|placeholder|policy|izer|ization|ize|ized|regex|pattern|prefix|format|version|provider|store|manager|service|header|param|parameter|schema|column|index)s?$/i

/** Matches inside a mark of an earlier redaction, such as `private-key`. */
const IN_MARK = /\[REDACTED:[a-z-]{0,30}$/

const OPTION = /(?<![\w-])--?(?:[a-z0-9]{1,20}-){0,3}[a-z0-9]{0,20}$/i
const ELEMENT = /<[\w:.-]{0,60}$/
const LINE_START =
  /(?:(?:^|[\r\n"'`]|\\[nrt])[ \t]{0,40}(?:export[ \t]|-[ \t])?|[:$#>][ \t]export[ \t])[ \t]{0,8}[\w.-]{0,60}$/i

/** The start of a call that takes a secret: `setToken(`, `.password(`, and not `hasToken(`. */
const SETTER = /(?:\b(?:set|with|use|put|add)\w{0,30}|[.>:])$/i

const SHORTEST_BESIDE = 10

/** The form of a name and its value, which says how far to trust it. */
type Form =
  | 'environment'
  | 'assignment'
  | 'line'
  | 'element'
  | 'option'
  | 'sentence'
  | 'beside'
  | 'argument'
  | 'other'

const KINDS: Readonly<Record<Form, string>> = {
  ...{
    environment: 'named-setting',
    assignment: 'named-setting',
    line: 'named-setting',
    other: 'named-setting',
    argument: 'named-setting',
  },
  ...{ element: 'named-setting', option: 'command-line', sentence: 'sentence', beside: 'sentence' },
}

const EXTENTS: Readonly<Partial<Record<Form, Extent>>> = {
  ...{ environment: 'words', assignment: 'word', sentence: 'word', beside: 'word', line: 'line' },
}

/**
 * Blanks the values of settings with secret names. Linear.
 *
 * @param places Those of the words that announce a secret.
 */
export function blankNamedSettings(text: string, places: readonly number[]): string {
  let result = ''
  let done = 0
  let next = 0
  for (const place of places) {
    if (place < next) continue
    SETTING.lastIndex = place
    const match = SETTING.exec(text)
    // The next word may overlap with this one.
    next = match === null ? place + 1 : SETTING.lastIndex
    const form = match === null || place < done ? undefined : formOf(text, match)
    if (match === null || form === undefined) continue
    const value = readValue(text, SETTING.lastIndex, EXTENTS[form])
    if (value === undefined || !isSecret(text, value, match.groups?.word ?? '', form)) continue
    result += text.slice(done, value.start) + blank(KINDS[form], value.end - value.start)
    done = value.end
  }
  return done === 0 ? text : result + text.slice(done)
}

function formOf(text: string, match: RegExpExecArray): Form | undefined {
  const { word = '', suffix = '', operator, call, pair, verb } = match.groups ?? {}
  const before = text.slice(Math.max(0, match.index - 110), match.index)
  if (IN_MARK.test(before) || !isSecretName(before, word, suffix)) return undefined
  if (pair !== undefined) return 'other'
  if (verb !== undefined) return 'sentence'
  if (call === '(') return SETTER.test(before) ? 'argument' : undefined
  if (operator === '>') return ELEMENT.test(before) ? 'element' : undefined
  const isOption = OPTION.test(before)
  if (call === ',') return isOption ? 'option' : 'argument'
  if (operator === undefined || operator === '|') return isOption ? 'option' : 'beside'
  if (isOption) return 'option'
  const startsLine = LINE_START.test(before)
  if (operator === '=' && /^[A-Z0-9_]+=$/.test(match[0])) return startsLine ? 'environment' : 'assignment'
  return startsLine ? 'line' : 'other'
}

function isSecretName(before: string, word: string, suffix: string): boolean {
  if (isShortWord(word) && suffix !== '') return false
  // `tokens` usually counts something.
  if (/^token$/i.test(word) && /^s/i.test(suffix)) return false
  if (suffix !== '' && ABOUT.test(suffix.replaceAll(/[_-]/g, ''))) return false
  return isAnnounced(word, before)
}

function isSecret(text: string, { start, end, quote }: Value, word: string, form: Form): boolean {
  const value = text.slice(start, end)
  if (value.length < SHORTEST_SECRET_CHARACTERS || isHarmless(value)) return false
  if (form === 'element' && text[end] !== '<') return false
  if (form === 'argument')
    return (
      quote !== '' &&
      /^[^\s,]/.test(value) &&
      !isName(value) &&
      !isProse(value) &&
      /\d|[^\p{L}\w.: /]/u.test(value)
    )
  if (form === 'beside') return isRandom(value) && value.length >= SHORTEST_BESIDE
  const isPassword = announcesPassword(word)
  if (/^\d{1,12}$/.test(value)) return isPassword
  if (form === 'sentence') {
    const said = value.replace(/[)\]}.,:;!?]{1,8}$/, '')
    return !isCode(said) && /\d|[^\w.:/-]/.test(said)
  }
  const isGiven = form === 'option' || form === 'environment' || form === 'assignment'
  if ((!isGiven && !isPassword && isName(value)) || value.toLowerCase() === word.toLowerCase()) return false
  if (quote === '`' && isCode(value.replace(/\(\)?$/, ''))) return false
  if (quote !== '') return isGiven || /^(?:passphrase|mnemonic)$/i.test(word) || !isProse(value)
  if (isGiven && form !== 'option') return true
  // A value that is called or indexed is code.
  return !isCode(value) && text[end] !== '(' && text[end] !== '['
}

/** A short option whose value is a password. */
interface PasswordOption {
  readonly programs: RegExp
  /** Includes the blank before the option, and the one after it if the value is a separate argument. */
  readonly options: readonly string[]
  /** A word before the option. Default: none. */
  readonly behind?: string
  /** The text before the secret in the value. Default: none. */
  readonly lead?: RegExp
}

/** The options come from the programs' manuals. */
const PASSWORD_OPTIONS: readonly PasswordOption[] = [
  { programs: /^(?:mysql|mariadb|7z)/, options: [' -p'] },
  { programs: /^sshpass/, options: [' -p ', ' -p'] },
  { programs: /^(?:sqlcmd|bcp|zip|unzip)/, options: [' -P ', ' -P'] },
  { programs: /^(?:docker|podman|nerdctl|helm|oc|az)/, options: [' -p '], behind: 'login' },
  { programs: /^mongo/, options: [' -p '] },
  { programs: /-cli$/, options: [' -a '] },
  { programs: /^ldap/, options: [' -w ', ' -w'] },
  { programs: /^openssl/, options: [' -passin ', ' -passout '], lead: /^pass:/ },
  { programs: /^(?:smb|rpc)client/, options: [' -U ', ' -U'], lead: /^[^%\s]{1,64}%/ },
]

const PROGRAM =
  /(?<![\w-])(?:(?:mysql|mariadb)[\w-]{0,20}|7z[ar]?|sshpass|sqlcmd|bcp|zip|unzip|docker|podman|nerdctl|helm|oc|az|mongo(?:sh|dump|restore|export|import)?|(?:redis|valkey|keydb)-cli|ldap(?:search|modify|add|delete|whoami)|openssl|(?:smb|rpc)client)(?= )/g
const OPTION_LETTERS = 'apwPU'
const COMMAND_END = /[\r\n|;&]|\\[nr]/
const REACH = 300
const SHORTEST = 3

/** Blanks passwords in short options of well-known programs: `mysql -pSECRET`, `sshpass -p SECRET`. Linear. */
export function blankCommandPasswords(text: string): string {
  if (!hasOption(text)) return text
  let result = ''
  let done = 0
  for (const { index, 0: program } of text.matchAll(PROGRAM)) {
    if (index < done) continue
    const from = index + program.length
    const rest = text.slice(from, from + REACH)
    const command = rest.slice(0, COMMAND_END.exec(rest)?.index)
    for (const { programs, options, behind = '', lead } of PASSWORD_OPTIONS) {
      const option = programs.test(program) ? options.find((one) => command.includes(one)) : undefined
      if (option === undefined || !command.includes(behind)) continue
      const value = readValue(text, from + command.indexOf(option) + option.length, 'word')
      const led = value === undefined ? null : (lead ?? /^/).exec(text.slice(value.start, value.end))
      if (value === undefined || led === null) continue
      const start = value.start + led[0].length
      const secret = text.slice(start, value.end)
      if (start < done || secret.length < SHORTEST || isHarmless(secret)) continue
      result += text.slice(done, start) + blank('command-line', secret.length)
      done = value.end
    }
  }
  return done === 0 ? text : result + text.slice(done)
}

/** Steps from dash to dash, because a regular expression would look at each character. */
function hasOption(text: string): boolean {
  for (let at = text.indexOf('-', 1); at !== -1; at = text.indexOf('-', at + 1))
    if (text[at - 1] === ' ' && OPTION_LETTERS.includes(text[at + 1] ?? ' ')) return true
  return false
}
