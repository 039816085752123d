import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'

export function countMessages(tokens: TokenCounter, messages: readonly Message[]): number {
  let sum = 0
  for (const message of messages) sum += tokens.countMessage(message)
  return sum
}
