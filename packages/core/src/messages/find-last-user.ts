import type { Message } from '../spec/v1/message.ts'
import { isSummary } from './summary-marker.ts'

/** Index of the last message that the user wrote, or -1. A summary in the user role is not one. */
export function findLastUser(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'user' && !isSummary(message))
}
