import type { AssistantMessage, Message } from '@palimpsest/core'
import { equalValues } from '@palimpsest/core'

/** Stands between a summary and a user message, so that no two user turns follow each other. */
export const BRIDGE: AssistantMessage = Object.freeze({
  role: 'assistant',
  content: '(The summary above covers the conversation up to here.)',
})

/** True for a message that an earlier compaction put there. */
export function isBridge(message: Message | undefined): boolean {
  return (
    message?.role === 'assistant' &&
    equalValues(message.content, BRIDGE.content) &&
    !message.tool_calls?.length
  )
}
