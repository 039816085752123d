/** Changes one text of a message. `isJson` is true for the arguments of a function call. */
export type ChangeText = (text: string, isJson: boolean) => string

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
