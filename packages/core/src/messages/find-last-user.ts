import type { Message } from '../spec/message.ts'

/** Index of the last user message, or -1. */
export function findLastUser(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'user')
}
