import type { Message, TokenCounter } from '@palimpsest/core'
import { showMessage } from './large-results.ts'
import type { ContextWindow } from './window.ts'

/**
 * Shows tool results that are too large in part as soon as they come, where no cache knows them yet. Only the results
 * behind the last answer are looked at. The same list when there are none.
 */
export function pruneLargeResults(
  messages: readonly Message[],
  { tail }: ContextWindow,
  maxTokens: number,
  tokens: TokenCounter,
): readonly Message[] {
  let pruned: Message[] | undefined
  for (let index = messages.length - 1; messages[index]?.role === 'tool'; index--) {
    const message = messages[index] as Message
    if (tokens.countMessage(message) <= maxTokens) continue
    const stored = tail.findLast((known) => known.message === message || isEqual(known.message, message))
    if (stored === undefined) continue
    pruned ??= [...messages]
    pruned[index] = showMessage(stored, maxTokens)
  }
  return pruned ?? messages
}

function isEqual(one: Message, other: Message): boolean {
  return (
    one.role === 'tool' &&
    other.role === 'tool' &&
    one.tool_call_id === other.tool_call_id &&
    one.content === other.content
  )
}
