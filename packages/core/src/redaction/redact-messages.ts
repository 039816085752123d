import { shortenCalls, shortenText } from '../messages/shorten-message.ts'
import { createPause } from '../session/scheduling.ts'
import type { Message } from '../spec/v1/index.ts'
import { redactMessage } from './redact-secrets.ts'

/** Characters of one text that a summariser is shown: more than most read at once. */
const MOST_CHARACTERS = 500_000

/**
 * The messages as a summariser may see them, in slices: a long history holds up nothing else. The middle of a text of over half a
 * million characters is left out.
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
