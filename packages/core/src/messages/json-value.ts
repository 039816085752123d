import { InvalidMessagesError } from '../errors/errors.ts'
import type { Message, ToolSchema } from '../spec/v1/index.ts'

/** An object with unknown members, such as a server's response. */
export type Loose = Readonly<Record<string, unknown>>

/** True for an object with members; false for lists. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of an object; an empty object for any other value. */
export function looseOf(value: unknown): Loose {
  return isObject(value) ? value : {}
}

/**
 * The value that JSON would write: the result of `toJSON`, null for a number that is not finite, undefined for
 * functions and symbols.
 */
export function jsonForm(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function')
    return value.toJSON()
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value
}

/** The value as JSON text; a text unchanged; '' for null and for values that JSON cannot write. Never throws. */
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
 * A deep copy with JSON's semantics. Throws for a cycle, a bigint, a Map, a Set, an Error and bytes, which JSON cannot
 * write or would empty.
 */
function copyJson(value: unknown, path: string): unknown {
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
    return copied
  }

  const copyObject = (value: Record<string, unknown>): Record<string, unknown> => {
    // A spread keeps the original's size and an own key named __proto__; an object that grows key by key has spare
    // capacity.
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

function losesContent(value: object): boolean {
  if (Array.isArray(value)) return false
  if (ArrayBuffer.isView(value)) return true
  return Object.prototype.toString.call(value) !== '[object Object]' && Object.keys(value).length === 0
}

function withValues(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

/**
 * A deep copy of a JSON-like value without shared mutable parts. Other values are copied as JSON would write them:
 * dates as text, class instances as plain objects, no functions.
 *
 * @throws InvalidMessagesError for values that JSON cannot carry, such as a cycle.
 */
export function copyValue<T>(value: T): T {
  return copyJson(value, 'the value') as T
}

class Given {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a subclass adds its private members to the value
    return value
  }
}

/** A private member of the message itself: a WeakSet of a long history takes 100 ms to grow, and again to be collected. */
class DeepFrozen extends Given {
  readonly #isFrozen = true

  static mark(value: object): void {
    new DeepFrozen(value)
  }

  static has(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #isFrozen in value
  }
}

/** Messages that were frozen before they could be marked. */
const others = new WeakSet<object>()

/** Deeply freezes a JSON message or tool in place and returns it. */
export function freezeMessage<M extends Message | ToolSchema>(message: M): M {
  if (isDeepFrozen(message)) return message
  if (Object.isExtensible(message)) DeepFrozen.mark(message)
  else others.add(message)
  freezeValue(message)
  return message
}

function freezeValue(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const member of Object.values(value)) freezeValue(member)
}

/** True for a message or tool known to be deeply frozen, about which facts can be cached. */
export function isDeepFrozen(message: object): boolean {
  return DeepFrozen.has(message) || others.has(message)
}

export function snapshotMessage(message: Message, path = 'the message'): Message {
  if (isDeepFrozen(message)) return message
  const copy = copyJson(message, path) as Message
  return typeof copy === 'object' && copy !== null ? freezeMessage(copy) : copy
}

/** Copies messages without sharing mutable parts; deeply frozen messages are shared. */
export function copyMessages(messages: readonly Message[]): Message[] {
  return messages.map((message) => (isDeepFrozen(message) ? message : copyValue(message)))
}

/**
 * True for values that JSON writes alike, regardless of key order: an `undefined` member counts as absent, and a date
 * equals its text. Texts are compared natively, so comparing an unchanged history takes microseconds. Values must not
 * have cycles.
 */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true
  const left = jsonForm(a)
  const right = jsonForm(b)
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return left === right
  if (Array.isArray(left) || Array.isArray(right)) return equalLists(left, right)
  return equalObjects(left as Members, right as Members)
}

type Members = Readonly<Record<string, unknown>>

function equalLists(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) {
    // JSON writes null for list items that it would leave out of objects.
    if (!equalValues(jsonForm(left[index]) ?? null, jsonForm(right[index]) ?? null)) return false
  }
  return true
}

function equalObjects(left: Members, right: Members): boolean {
  const [keys, others] = [Object.keys(left), Object.keys(right)]
  let isWhole = keys.length === others.length
  for (const key of keys) {
    const other = own(right, key)
    if (other === undefined) isWhole = false
    if (!equalValues(left[key], other)) return false
  }
  if (isWhole) return true
  for (const key of others) {
    if (own(left, key) === undefined && jsonForm(right[key]) !== undefined) return false
  }
  return true
}

function own(value: Members, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** Index of the first message that differs between two lists; the shorter length if none does. */
export function changedFrom(before: readonly Message[], after: readonly Message[]): number {
  const length = Math.min(before.length, after.length)
  for (let index = 0; index < length; index++) {
    if (!equalValues(before[index], after[index])) return index
  }
  return length
}
