/** Changes one text of a message. `isJson` is true for the arguments of a function call. */
type ChangeText = (text: string, isJson: boolean) => string

type Fields = Record<string, unknown>

/**
 * A copy of a message in which every text that a search reads went through `change`, in an order that is always the
 * same: content, refusal, then the name and the arguments of each call. Which texts these are depends only on the
 * types of what is in the message, so that a walk over the copy meets the same ones again.
 */
export function mapTexts(message: unknown, change: ChangeText): unknown {
  if (!isObject(message) || Array.isArray(message)) return message
  const copy: Fields = { ...message }
  const { content, refusal, tool_calls: calls } = message
  if (Array.isArray(content)) copy.content = content.map((part) => mapPart(part, change))
  else mapField(copy, 'content', change)
  if (typeof refusal === 'string') mapField(copy, 'refusal', change)
  if (Array.isArray(calls)) copy.tool_calls = calls.map((call) => mapCall(call, change))
  return copy
}

function mapPart(part: unknown, change: ChangeText): unknown {
  if (!isObject(part) || (part.type !== 'text' && part.type !== 'refusal')) return part
  return mapField({ ...part }, part.type, change)
}

function mapCall(call: unknown, change: ChangeText): unknown {
  if (!isObject(call) || Array.isArray(call)) return call
  const copy: Fields = { ...call }
  if (isObject(call.function) && !Array.isArray(call.function)) {
    copy.function = mapField(mapField({ ...call.function }, 'name', change), 'arguments', change, true)
  }
  if (isObject(call.custom) && !Array.isArray(call.custom)) {
    copy.custom = mapField(mapField({ ...call.custom }, 'name', change), 'input', change)
  }
  return copy
}

function mapField(copy: Fields, key: string, change: ChangeText, isJson = false): Fields {
  const value = copy[key]
  if (typeof value === 'string') copy[key] = change(value, isJson)
  return copy
}

/**
 * True when no object on the way to a text is anything but a plain one, so that the JSON text of a copy is that of
 * the original: no class, no `toJSON`.
 */
export function isPlainMessage(message: unknown): boolean {
  if (!isObject(message)) return true
  const { content, tool_calls: calls } = message
  return isPlain(message) && isPlainList(content) && isPlainList(calls)
}

function isPlainList(value: unknown): boolean {
  if (!Array.isArray(value)) return isPlain(value)
  return (
    isPlain(value) && value.every((item) => isPlain(item) && isPlain(item?.function) && isPlain(item?.custom))
  )
}

function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return true
  const prototype = Object.getPrototypeOf(value)
  const known = prototype === Object.prototype || prototype === null || prototype === Array.prototype
  return known && typeof (value as Fields).toJSON !== 'function'
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/**
 * The mark of one text in the shape of a message, in the order of `mapTexts`:
 * - a length: so many characters of `text` are it.
 * - a negative length: it stands in the shape itself, because `text` can only hold a copy of so many characters.
 * - a list: the length, and how to put back the escapes (`EscapeMarks`).
 */
export type TextMark = number | readonly (number | string)[]

/**
 * The positions at which escapes are put back: for each literal that lost them, the number of characters since the
 * last one, and its own number of characters; negative when everything but ASCII was escaped; followed by the literal
 * as it was when it was written in neither way.
 */
type EscapeMarks = readonly (number | string)[]

interface UnescapedText {
  readonly text: string
  readonly marks: EscapeMarks
}

/**
 * JSON text with the escapes in its string literals resolved: a newline is one, so that the word behind it is a word
 * and not `nword`. It works on the literals alone, so that whitespace, the order of keys and even broken JSON come
 * back as they were (`escapeLiterals`).
 */
export function unescapeLiterals(json: string): UnescapedText {
  if (!json.includes('\\')) return { text: json, marks: [] }
  const marks: (number | string)[] = []
  let text = ''
  /** Up to here the JSON text is in `text`. */
  let done = 0
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = literalEnd(json, start + 1)
    if (end === -1) break
    const literal = json.slice(start, end + 1)
    const value = literal.includes('\\') ? parseLiteral(literal) : undefined
    if (value !== undefined) {
      marks.push(start + 1 - done, ...markOf(literal, value))
      text += json.slice(done, start + 1) + storableCopy(value)
      done = end
    }
    start = json.indexOf('"', end + 1)
  }
  return { text: text + json.slice(done), marks }
}

/** Undoes `unescapeLiterals`. */
export function escapeLiterals(text: string, marks: EscapeMarks): string {
  let json = ''
  let position = 0
  for (let index = 0; index < marks.length; ) {
    const start = position + Number(marks[index++])
    const length = Number(marks[index++])
    const raw = marks[index]
    json += text.slice(position, start)
    position = start + Math.abs(length)
    if (typeof raw === 'string') {
      json += raw
      index++
    } else json += (length < 0 ? asciiLiteral : JSON.stringify)(text.slice(start, position)).slice(1, -1)
  }
  return json + text.slice(position)
}

/** Where a literal ends that begins before `from`: at the next quotation mark that is not escaped. */
function literalEnd(json: string, from: number): number {
  for (let index = from; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) return index
    if (code === BACKSLASH) index++
  }
  return -1
}

const QUOTE = 34
const BACKSLASH = 92

function markOf(literal: string, value: string): (number | string)[] {
  if (isStorable(value)) {
    if (JSON.stringify(value) === literal) return [value.length]
    if (asciiLiteral(value) === literal) return [-value.length]
  }
  return [value.length, literal.slice(1, -1)]
}

function parseLiteral(literal: string): string | undefined {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}

/** A JSON literal as Python's `json.dumps` writes it by default. */
function asciiLiteral(value: string): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Lone surrogates cannot be written as UTF-8, and C interfaces end a text at a NUL character. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The text with U+FFFD in the place of what cannot be stored. Its length in characters is the same. */
export function storableCopy(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD')
}
