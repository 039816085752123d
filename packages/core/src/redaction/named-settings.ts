import { type Extent, readValue, type Value } from './read-value.ts'
import { CONTEXT_HINTS } from './secret-patterns.ts'
import { isCode, isHarmless, isName, isProse, isRandom, SHORTEST_SECRET_CHARACTERS } from './secret-value.ts'

/**
 * The end of a setting's name up to its value: `API_KEY=`, `"clientSecret": `, `<password>`, `--token `, `"name":
 * "DB_PASSWORD", "value": `, `the password is `; also inside JSON that was written into a text. What stands before the
 * word is looked at by itself, so that this stays cheap.
 */
const SETTING =
  /(?<word>key|secret|token|passw(?:or)?[dt]|passphrase|passcode|pass|pwd|pw|psk|mnemonic|credential|contraseña|пароль|密码|密碼|口令|パスワード)(?<suffix>[\w-]{0,40})\\{0,7}["'`]?(?:[ \t]{0,4}(?<operator>=>|:=|=(?!=)|[:：>|])|(?:\\{1,7}[nrt]|[\s,]){1,30}\\{0,7}["'`]?(?<pair>value)\\{0,7}["'`]?[ \t]{0,4}[:=]|[ \t]{0,2}(?<verb>[ \t](?:is|was|ist|es|est)[ \t]|是|为|為)|[ \t])[ \t]{0,4}/iy

/**
 * The words with which the end of a name begins, and the hints of secrets that are known by their place: one look for both,
 * which is most of what a text without secrets costs.
 */
const WORD = new RegExp(
  `key|secret|token|pass|pwd|pw|psk|mnemonic|credential|contraseña|пароль|密码|密碼|口令|パスワード|(?<hint>${CONTEXT_HINTS})`,
  'gi',
)

/** The names of secret keys. A public key, a cache key or a primary key is none. */
const SECRET_KEY =
  /(?:api|access|secret|private|signing|encryption|account|auth|master|service|shared|jwt|hmac|deploy|license|subscription)[ _-]?$/i

/** Words that are a name only by themselves or as the last part of one: `SMTP_PASS`, `dbPass`, and not `bypass`. */
const SHORT_WORD = /^p(?:ass|w|sk)$/i

/** Ends of names that speak about a secret and do not hold one: `token_count`, `passwordField`. */
const ABOUT =
  /(?:name|id|type|kind|url|uri|endpoint|path|file|dir|folder|count|counter|limit|length|size|budget|usage|used|total|expiry|expires|expiresin|expiration|ttl|field|label|input|hint|placeholder|policy|izer|ization|ize|ized|regex|pattern|prefix|format|version|provider|store|manager|service|header|param|parameter|schema|column|index)s?$/i

/** The beginning of an option of a command, up to the word. */
const OPTION = /(?<![\w-])--?(?:[a-z0-9]{1,20}-){0,3}[a-z0-9]{0,20}$/i
/** The beginning of an element of XML, up to the word. */
const ELEMENT = /<[\w:.-]{0,60}$/
/** The beginning of a line up to the word. */
const LINE_START = /(?:^|[\r\n"'`]|\\[nrt])[ \t]{0,40}(?:export[ \t]|-[ \t])?[ \t]{0,8}[\w.-]{0,60}$/i

/** Characters of what merely stands beside a name. */
const SHORTEST_BESIDE = 10

/** The way in which a name and a value stand together, which says how far to trust it. */
type Form = 'environment' | 'assignment' | 'line' | 'element' | 'option' | 'sentence' | 'beside' | 'other'

const KINDS: Readonly<Record<Form, string>> = {
  ...{
    environment: 'named-setting',
    assignment: 'named-setting',
    line: 'named-setting',
    other: 'named-setting',
  },
  ...{ element: 'named-setting', option: 'command-line', sentence: 'sentence', beside: 'sentence' },
}

const EXTENTS: Readonly<Partial<Record<Form, Extent>>> = {
  ...{ environment: 'words', assignment: 'word', sentence: 'word', beside: 'word', line: 'line' },
}

/** Places in a text where the name of a setting may end. */
export interface Names {
  readonly places: readonly number[]
  /** Whether a secret that is known by its place may stand in the text. */
  readonly isHinted: boolean
}

export function findNames(text: string): Names {
  const places: number[] = []
  let isHinted = false
  WORD.lastIndex = 0
  for (let word = WORD.exec(text); word !== null; word = WORD.exec(text)) {
    if (word[1] === undefined) places.push(word.index)
    else isHinted = true
    // The next one may overlap with it.
    WORD.lastIndex = word.index + 1
  }
  return { places, isHinted }
}

/** Hides the values of settings whose names say that they are secret; the names stay. Linear. */
export function redactNamedSettings(
  text: string,
  mark: (kind: string) => string,
  { places }: Pick<Names, 'places'> = findNames(text),
): string {
  let result = ''
  let done = 0
  let next = 0
  for (const place of places) {
    if (place < next) continue
    SETTING.lastIndex = place
    const match = SETTING.exec(text)
    if (match === null) continue
    next = SETTING.lastIndex
    if (place < done) continue
    const form = formOf(text, match)
    if (form === undefined) continue
    const value = readValue(text, next, EXTENTS[form])
    if (value === undefined || !isSecret(text, value, match.groups?.word ?? '', form)) continue
    result += text.slice(done, value.start) + mark(KINDS[form])
    done = value.end
  }
  return done === 0 ? text : result + text.slice(done)
}

/** Undefined where the name is not that of a secret. */
function formOf(text: string, match: RegExpExecArray): Form | undefined {
  const { word = '', suffix = '', operator, pair, verb } = match.groups ?? {}
  const before = text.slice(Math.max(0, match.index - 110), match.index)
  if (!isSecretName(before, word, suffix)) return undefined
  if (pair !== undefined) return 'other'
  if (verb !== undefined) return 'sentence'
  if (operator === '>') return ELEMENT.test(before) ? 'element' : undefined
  const isOption = OPTION.test(before)
  if (operator === undefined || operator === '|') return isOption ? 'option' : 'beside'
  if (isOption) return 'option'
  const startsLine = LINE_START.test(before)
  if (operator === '=' && /^[A-Z0-9_]+=$/.test(match[0])) return startsLine ? 'environment' : 'assignment'
  return startsLine ? 'line' : 'other'
}

function isSecretName(before: string, word: string, suffix: string): boolean {
  if (SHORT_WORD.test(word)) {
    const isPart = /[a-z]$/.test(before) ? /^P/.test(word) : !/[A-Z]$/.test(before)
    return suffix === '' && isPart
  }
  // Tokens are counted, mostly.
  if (/^token$/i.test(word) && /^s/i.test(suffix)) return false
  if (suffix !== '' && ABOUT.test(suffix.replaceAll(/[_-]/g, ''))) return false
  return word.toLowerCase() !== 'key' || SECRET_KEY.test(before.slice(-13))
}

function isSecret(text: string, { start, end, quote }: Value, word: string, form: Form): boolean {
  const value = text.slice(start, end)
  if (value.length < SHORTEST_SECRET_CHARACTERS || isHarmless(value)) return false
  if (form === 'element' && text[end] !== '<') return false
  if (form === 'beside') return isRandom(value) && value.length >= SHORTEST_BESIDE
  const isPassword = !/^(?:key|secret|token|credential)/i.test(word)
  if (/^\d{1,12}$/.test(value)) return isPassword
  if (form === 'sentence') {
    const said = value.replace(/[)\]}.,:;!?]{1,8}$/, '')
    return !isCode(said) && /\d|[^\w.:/-]/.test(said)
  }
  const isGiven = form === 'option' || form === 'environment' || form === 'assignment'
  if ((!isGiven && !isPassword && isName(value)) || value.toLowerCase() === word.toLowerCase()) return false
  if (quote === '`' && isCode(value)) return false
  if (quote !== '') return isGiven || /^(?:passphrase|mnemonic)$/i.test(word) || !isProse(value)
  if (isGiven && form !== 'option') return true
  // A value that is called or indexed is code.
  return !isCode(value) && text[end] !== '(' && text[end] !== '['
}
