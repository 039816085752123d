import { InvalidMessagesError } from '../errors/errors.ts'
import { snapshotMessage } from '../messages/json-value.ts'
import type { Message } from '../spec/v1/index.ts'

/** A frozen copy of a host's list, for a call that has to wait while the host may change it. */
export function snapshotMessages(incoming: readonly Message[]): readonly Message[] {
  assertMessages(incoming)
  return incoming.map(snapshot)
}

export function snapshot(message: Message, index: number): Message {
  const copy: unknown = snapshotMessage(message, `messages[${index}]`)
  assertMessage(copy, index)
  return copy
}

/** @throws InvalidMessagesError */
export function assertMessages(incoming: readonly Message[]): void {
  if (!Array.isArray(incoming)) throw new InvalidMessagesError('messages must be a list')
  for (const [index, message] of incoming.entries()) assertMessage(message, index)
}

function assertMessage(message: unknown, index: number): asserts message is Message {
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return
  const found = message === null ? 'null' : Array.isArray(message) ? 'a list' : typeof message
  throw new InvalidMessagesError(`messages[${index}] must be an object with a role, got ${found}`)
}
