import { shortenCalls, shortenText } from '../messages/shorten-message.ts'
import { createPause } from '../session/scheduling.ts'
import type { Message } from '../spec/v1/index.ts'
import { redactMessage } from './redact-secrets.ts'

/** Maximum characters of a text for a summariser: more than most read at once. */
const MOST_CHARACTERS = 500_000

/**
 * Redacts messages for a summariser, in slices, so that a long history does not block the process. The middle of a text
 * of over half a million characters is left out.
 */
export async function redactMessages(messages: readonly Message[]): Promise<Message[]> {
  const pause = createPause()
  const redacted: Message[] = []
  for (const message of messages) {
    const short = shortenCalls(shortenText(message, MOST_CHARACTERS), MOST_CHARACTERS)
    await pause()
    redacted.push(redactMessage(short))
    await pause()
  }
  return redacted
}
