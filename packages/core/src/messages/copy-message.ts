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

/** Messages that are frozen in depth: they can be shared, because nobody can change them. */
const frozen = new WeakSet<object>()

/** Freezes a message in depth, in place, and returns it. */
export function freezeMessage<M extends Message>(message: M): M {
  freezeValue(message)
  frozen.add(message)
  return message
}

function freezeValue(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  for (const member of Object.values(value)) freezeValue(member)
  Object.freeze(value)
}

/** Copies that share nothing that can change with the originals; what `freezeMessage` froze is shared. */
export function copyMessages(messages: readonly Message[]): Message[] {
  return messages.map((message) => (frozen.has(message) ? message : copyValue(message)))
}
