import { InvalidMessagesError } from '../errors/errors.ts'

/**
 * The value that JSON writes in a value's place: what `toJSON` returns, null for a number that is not finite, undefined
 * (no member at all) for functions and symbols. Messages are JSON, so this is what a provider would get.
 */
export function jsonForm(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function')
    return value.toJSON()
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value
}

/** The value as JSON text; a text as it is, an empty one for null and for what JSON cannot write. Never throws. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/**
 * A deep copy of a value as JSON would carry it, whatever the value is made of: class instances become plain
 * objects, dates their text, `undefined` members go. Strings are shared, because they cannot change.
 *
 * @throws InvalidMessagesError, naming `path`, for what JSON cannot write or would silently empty: an object that
 * refers back to itself, a bigint, a Map, a Set, an Error, bytes.
 */
export function copyJson(value: unknown, finish: (copy: object) => object, path: string): unknown {
  const keys: (string | number)[] = []
  const ancestors: object[] = []

  const refuse = (what: string): never => {
    const at = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
    throw new InvalidMessagesError(`${path}${at} ${what}; a message holds only what JSON can carry`)
  }

  const copyMember = (key: string | number, member: unknown): unknown => {
    keys.push(key)
    const copied = copy(member)
    keys.pop()
    return copied
  }

  const copy = (raw: unknown): unknown => {
    const value = jsonForm(raw)
    if (typeof value === 'bigint') return refuse('is a bigint')
    if (typeof value !== 'object' || value === null) return value
    if (ancestors.includes(value)) return refuse('refers back to itself')
    if (losesContent(value)) return refuse(`is ${Object.prototype.toString.call(value)}`)
    ancestors.push(value)
    const copied = Array.isArray(value)
      ? Array.from(value, (member, index) => copyMember(index, member) ?? null)
      : copyObject(value as Record<string, unknown>)
    ancestors.pop()
    return finish(copied)
  }

  const copyObject = (value: Record<string, unknown>): Record<string, unknown> => {
    // A spread is as large as the original, and has a key named __proto__ as its own; what grows by members has spare room.
    const copied = { ...value }
    let isWhole = Object.getOwnPropertySymbols(copied).length === 0
    for (const key of Object.keys(copied)) {
      const before = copied[key]
      const member = copyMember(key, before)
      if (member === undefined) isWhole = false
      if (member !== before) copied[key] = member
    }
    return isWhole ? copied : withValues(copied)
  }

  return copy(value)
}

/** Built-in containers keep what they hold where JSON does not look. */
function losesContent(value: object): boolean {
  if (Array.isArray(value)) return false
  if (ArrayBuffer.isView(value)) return true
  return Object.prototype.toString.call(value) !== '[object Object]' && Object.keys(value).length === 0
}

/** Without symbols, and without members that have no value. */
function withValues(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
