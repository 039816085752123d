import type { Message } from '../spec/v1/message.ts'
import type { ToolSchema } from '../spec/v1/tool-schema.ts'
import { copyJson } from './json-value.ts'

/**
 * A deep copy of a JSON-like value that shares nothing that can change. What is not JSON is copied as JSON
 * would carry it: dates as text, class instances as plain objects, no functions.
 *
 * @throws InvalidMessagesError for what JSON cannot carry, such as an object that refers back to itself.
 */
export function copyValue<T>(value: T): T {
  return copyJson(value, (copy) => copy, 'the value') as T
}

/** Messages that are frozen in depth: they can be shared, because nothing can change them. */
const frozen = new WeakSet<object>()

/** Freezes a message or a tool in depth, in place, and returns it. For what is JSON already. */
export function freezeMessage<M extends Message | ToolSchema>(message: M): M {
  if (frozen.has(message)) return message
  freezeValue(message)
  frozen.add(message)
  return message
}

function freezeValue(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const member of Object.values(value)) freezeValue(member)
}

/** True for a message or a tool that is known to be frozen in depth: whatever was found out about it holds for ever. */
export function isDeepFrozen(message: object): boolean {
  return frozen.has(message)
}

/**
 * The message as the session keeps it: a frozen deep copy, or the message itself when it is one already.
 *
 * @throws InvalidMessagesError, naming `path`, for what JSON cannot carry.
 */
export function snapshotMessage(message: Message, path = 'the message'): Message {
  if (frozen.has(message)) return message
  const copy = copyJson(message, Object.freeze, path) as Message
  if (typeof copy === 'object' && copy !== null) frozen.add(copy)
  return copy
}

/** Copies that share nothing that can change with the originals; what is frozen in depth is shared. */
export function copyMessages(messages: readonly Message[]): Message[] {
  return messages.map((message) => (frozen.has(message) ? message : copyValue(message)))
}
