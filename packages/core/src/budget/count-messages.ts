import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'

/** Tokens of a list of messages. */
export function countMessages(tokens: TokenCounter, messages: readonly Message[]): number {
  let sum = 0
  for (const message of messages) sum += tokens.countMessage(message)
  return sum
}
