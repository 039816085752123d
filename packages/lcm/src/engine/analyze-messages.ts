import { setImmediate } from 'node:timers/promises'
import { checkMessage, type Message } from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import { analyzeMessage } from '@palimpsest/extractive'

/** Messages that are looked at before others get their turn: a host may tell a history of thousands at once. */
const BATCH = 50

/**
 * Finds out what a compaction needs to know of messages, once, when they arrive. It is remembered with each of them. A user's
 * message may answer the assistant's message of an earlier call.
 */
export function createMessageAnalysis(): (messages: readonly Message[], from: number) => Promise<void> {
  let answered: Message | undefined
  let next = 0
  return async (messages, from) => {
    if (from !== next) answered = undefined
    next = from + messages.length
    for (const [index, message] of messages.entries()) {
      if (index > 0 && index % BATCH === 0) await setImmediate()
      if (checkMessage(message).length > 0) continue
      const redacted = redactMessage(message)
      analyzeMessage(redacted, answered)
      if (message.role === 'assistant') answered = redacted
    }
  }
}
