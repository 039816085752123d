import type { Message } from '../spec/message.ts'

/** A deep copy of a JSON-like value; strings are shared, because they cannot change. */
export function copyValue<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyValue) as T
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = copyValue((value as Record<string, unknown>)[key])
    // An own key named __proto__ would set the prototype instead of a member.
    if (key === '__proto__')
      Object.defineProperty(copy, key, {
        value: member,
        enumerable: true,
        writable: true,
        configurable: true,
      })
    else copy[key] = member
  }
  return copy as T
}

/** Freezes a JSON-like value in depth and returns it. */
export function freezeValue<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) freezeValue(member)
  return Object.freeze(value)
}

/** A copy that shares nothing that can change with the original. */
export function copyMessages(messages: readonly Message[]): Message[] {
  return messages.map(copyValue)
}
