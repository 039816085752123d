import { messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'
import type { WindowMessage } from './window.ts'

/** As many as ten windows of 200,000 tokens hold. */
const MOST_CHARACTERS = 8_000_000

/** The index of the first message of which a model is asked for a record: those before it lie too far back in a list that came at once. */
export function firstWorthAsking(messages: readonly WindowMessage[]): number {
  let left = MOST_CHARACTERS
  const last = messages.findLastIndex(({ message }) => {
    left -= messageText(message).length
    for (const call of toolCallsOf(message)) left -= toolCallInput(call).length
    return left < 0
  })
  return last + 1
}
