import { type Message, messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'

/** As many as ten windows of 200,000 tokens hold. */
const MOST_CHARACTERS = 8_000_000

/**
 * Of a long history that comes at once, the messages in which names and lines are looked for: those of the user, and
 * those that reach into its last eight million characters. What a tool said so long before is hardly needed any more (see `need`).
 */
export function worthReading(messages: readonly Message[]): readonly Message[] {
  const first = firstWorthReading(messages)
  return first === 0
    ? messages
    : messages.filter((message, index) => index >= first || message?.role === 'user')
}

/** The index from which on all messages are `worthReading`, and before which only those of the user are. */
export function firstWorthReading(messages: readonly Message[]): number {
  let left = MOST_CHARACTERS
  const last = messages.findLastIndex((message) => {
    left -= lengthOf(message)
    return left < 0
  })
  return Math.max(0, last)
}

/** In characters. */
function lengthOf(message: Message): number {
  if (typeof message !== 'object' || message === null) return 0
  return toolCallsOf(message).reduce(
    (sum, call) => sum + toolCallInput(call).length,
    messageText(message).length,
  )
}
