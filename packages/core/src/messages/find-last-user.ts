import type { Message } from '../spec/v1/message.ts'
import { isSpoken } from './own-words.ts'
import { isSummary } from './summary-marker.ts'

/**
 * Index of the last message that the user wrote, or -1. A summary in the user role is not one, and what a host inserted is one only
 * where the user wrote nothing.
 */
export function findLastUser(messages: readonly Message[]): number {
  const spoken = messages.findLastIndex(isSpoken)
  if (spoken !== -1) return spoken
  return messages.findLastIndex((message) => message.role === 'user' && !isSummary(message))
}
