import { InvalidMessagesError } from '../errors/errors.ts'
import { snapshotMessage } from '../messages/json-value.ts'
import type { Message } from '../spec/v1/index.ts'

export function snapshotMessages(incoming: readonly Message[]): readonly Message[] {
  assertMessages(incoming)
  return incoming.map(snapshot)
}

export function snapshot(message: Message, index: number): Message {
  const copy: unknown = snapshotMessage(message, `messages[${index}]`)
  assertMessage(copy, index)
  return copy
}

export function assertMessages(incoming: readonly Message[], known: readonly Message[] = []): void {
  if (!Array.isArray(incoming)) throw new InvalidMessagesError('messages must be a list')
  for (let index = 0; index < incoming.length; index++)
    if (index >= known.length || incoming[index] !== known[index]) assertMessage(incoming[index], index)
}

function assertMessage(message: unknown, index: number): asserts message is Message {
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return
  const found = message === null ? 'null' : Array.isArray(message) ? 'a list' : typeof message
  throw new InvalidMessagesError(`messages[${index}] must be an object with a role, got ${found}`)
}
