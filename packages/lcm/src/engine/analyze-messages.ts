import { checkMessage, createPause, type Message } from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import { analyzeMessage, worthReading } from '@palimpsest/extractive'

/**
 * Finds out what a compaction needs to know of messages, once, when they arrive. It is remembered with each of them. Of a very
 * long list, that is done for what is `worthReading`. A user's message may answer the assistant's message of an earlier call.
 */
export function createMessageAnalysis(): (messages: readonly Message[], from: number) => Promise<void> {
  let answered: Message | undefined
  let next = 0
  return async (messages, from) => {
    if (from !== next) answered = undefined
    next = from + messages.length
    const pause = createPause()
    for (const message of worthReading(messages)) {
      await pause()
      if (checkMessage(message).length > 0) continue
      const redacted = redactMessage(message)
      analyzeMessage(redacted, answered)
      if (message.role === 'assistant') answered = redacted
    }
  }
}
