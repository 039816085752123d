import { checkMessage } from '../laws/check-message.ts'
import { createPause } from '../session/pause.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { messageTokens, roughTokenCounter } from './rough-token-counter.ts'

export function countMessages(tokens: TokenCounter, messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokens.countMessage(message), 0)
}

/**
 * Counts new messages, with pauses, so that later counts of them cost nothing. A tokenizer takes seconds for each million
 * tokens of a history that comes at once: only the messages that may be shown whole are counted, a window of the last
 * ones, and those before get estimates, by the characters that a token of the last ones has.
 */
export async function countHistory(
  tokens: TokenCounter,
  messages: readonly Message[],
  contextLength: number,
): Promise<void> {
  const pause = createPause()
  const enough = tokens.remember === undefined ? Number.POSITIVE_INFINITY : contextLength
  let [counted, rough] = [0, 0]
  let index = messages.length - 1
  for (; index >= 0 && counted <= enough; index--) {
    const message = messages[index] as Message
    if (checkMessage(message).length > 0) continue
    counted += tokens.countMessage(message)
    rough += roughTokens(message)
    await pause()
  }
  for (; index >= 0; index--) {
    const message = messages[index] as Message
    tokens.remember?.(message, Math.ceil((roughTokens(message) * counted) / rough))
  }
}

/** The rough counter itself would remember each message of the history. */
function roughTokens(message: Message): number {
  return messageTokens(message, roughTokenCounter.countText)
}
