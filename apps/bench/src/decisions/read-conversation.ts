import { messageText } from '@palimpsest/core'
import type { ReadMessage } from '@palimpsest/decisions'
import type { LabelledConversation } from './labelled/conversation.ts'

/** The messages of a conversation as the engine hands them to an extractor, one by one. */
export function readConversation({ messages }: LabelledConversation): ReadMessage[] {
  return messages.map(({ message }, index): ReadMessage => {
    if (message.role !== 'user') return { index, message }
    const before = messages.slice(0, index).map((labelled) => labelled.message)
    const at = before.findLastIndex((other) => other.role === 'assistant' && messageText(other) !== '')
    const previous = before[at]
    return previous === undefined
      ? { index, message }
      : { index, message, previous: { index: at, text: messageText(previous) } }
  })
}
