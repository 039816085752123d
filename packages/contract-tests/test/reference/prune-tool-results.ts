import { changedFrom, type Message, messageText, stripReasoning } from '@palimpsest/core'

/** Newest messages whose results stay as they are. */
const KEPT_MESSAGES = 8
/** Characters from which an older result is shortened. */
const LONG_RESULT = 200

/** Old long tool results become one line; the same array when there are none. */
export function pruneToolResults(messages: readonly Message[]): readonly Message[] {
  const recent = messages.length - KEPT_MESSAGES
  const shortened = messages.map((message, index): Message => {
    const { length } = messageText(message)
    if (message.role !== 'tool' || index >= recent || length <= LONG_RESULT) return message
    return { ...message, content: `[cleared: ${length} characters; ref_search finds it again]` }
  })
  const first = changedFrom(messages, shortened)
  if (first === messages.length) return messages
  return shortened.map((message, index) => (index < first ? message : stripReasoning(message)))
}
