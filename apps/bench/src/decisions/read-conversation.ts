import { messageText, toolCallsOf } from '@palimpsest/core'
import type { ReadMessage } from '@palimpsest/decisions'
import type { LabelledConversation } from './labelled/conversation.ts'

/** The messages of a conversation as the engine hands them to an extractor, one by one. */
export function readConversation({ messages }: LabelledConversation): ReadMessage[] {
  return messages.map(({ message }, index): ReadMessage => {
    const before = messages.slice(0, index).map((labelled) => labelled.message)
    if (message.role === 'user') {
      const at = before.findLastIndex((other) => other.role === 'assistant' && messageText(other) !== '')
      const previous = before[at]
      return previous === undefined
        ? { index, message }
        : { index, message, previous: { index: at, text: messageText(previous) } }
    }
    if (message.role !== 'tool') return { index, message }
    const owner = before.findLast((other) => toolCallsOf(other).some(({ id }) => id === message.tool_call_id))
    return owner === undefined ? { index, message } : { index, message, owner }
  })
}
