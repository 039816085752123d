import type { Message } from '../spec/v1/message.ts'
import { toolCallsOf } from './message-text.ts'

/** A run of messages that is kept, dropped or summarised whole: `start` inclusive, `end` exclusive. */
export interface Transaction {
  readonly start: number
  readonly end: number
}

/**
 * Splits messages into transactions: an assistant message with tool calls and the tool messages that follow
 * it directly are one, every other message is one by itself. Linear.
 */
export function toolTransactions(messages: readonly Message[]): Transaction[] {
  const transactions: Transaction[] = []
  let start = 0
  while (start < messages.length) {
    const message = messages[start]
    let end = start + 1
    if (message !== undefined && toolCallsOf(message).length > 0) {
      while (messages[end]?.role === 'tool') end++
    }
    transactions.push({ start, end })
    start = end
  }
  return transactions
}
