import { countMessagesSliced } from '../budget/count-messages.ts'
import { messageTokens, roughTokenCounter } from '../budget/rough-token-counter.ts'
import { checkMessage } from '../laws/check-message.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { type createPause, inSlices } from './pause.ts'

/** Fewer new messages are counted where their tokens are needed. */
const FEW_MESSAGES = 8

interface CountInput {
  readonly tokens: TokenCounter
  readonly contextLength: number
  /** The messages for the model: of a history, their sum is found in slices too. */
  readonly shown: readonly Message[]
  readonly pause: ReturnType<typeof createPause>
}

/**
 * Counts messages from `from` on, once and in slices, so that later counts of them cost nothing. A tokenizer would take
 * minutes for a long history that comes at once: a window of its last messages is counted then, which is what may be shown whole,
 * and those before get estimates, by the characters that a token of the last ones has.
 */
export async function countNew(
  messages: readonly Message[],
  from: number,
  { tokens, contextLength, shown, pause }: CountInput,
): Promise<void> {
  if (messages.length - from < FEW_MESSAGES) return
  const enough = tokens.remember === undefined ? Number.POSITIVE_INFINITY : contextLength
  let [counted, rough] = [0, 0]
  let index = messages.length - 1
  for (; index >= from && counted <= enough; index--) {
    const message = messages[index] as Message
    if (checkMessage(message).length > 0) continue
    counted += tokens.countMessage(message)
    rough += roughTokens(message)
    await pause()
  }
  for (; index >= from; index--) {
    const message = messages[index] as Message
    tokens.remember?.(message, Math.ceil((roughTokens(message) * counted) / rough))
    await pause()
  }
  await inSlices(countMessagesSliced(tokens, shown))
}

/** The counter itself would remember each message of the history. */
function roughTokens(message: Message): number {
  return messageTokens(message, roughTokenCounter.countText)
}
