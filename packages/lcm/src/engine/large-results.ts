import {
  type ConversationLog,
  type Message,
  messageText,
  redactSecrets,
  sliceCharacters,
  type TokenCounter,
  type ToolMessage,
} from '@palimpsest/core'
import type { WindowMessage } from './window.ts'

/** Share of a shown large result that goes to its beginning; the rest goes to its end. */
const HEAD_SHARE = 0.7
/** Fewer characters of a result are never shown. */
const LEAST_CHARACTERS = 120

/**
 * A message as the context shows it: a tool result above `maxTokens` is its beginning, its end and how to read the
 * rest; every other message is itself. The stored message stays whole.
 */
export function showMessage({ seq, message, tokens }: WindowMessage, maxTokens: number): Message {
  if (message.role !== 'tool' || tokens <= maxTokens) return message
  // A secret that is cut in two would not be recognised any more.
  const text = redactSecrets(messageText(message))
  const characters = Math.max(LEAST_CHARACTERS, Math.floor((text.length * maxTokens) / tokens))
  if (text.length <= characters * 1.2) return message
  const head = sliceCharacters(text, 0, Math.floor(characters * HEAD_SHARE))
  const tail = sliceCharacters(text, text.length - Math.floor(characters * (1 - HEAD_SHARE)), text.length)
  const left = text.length - head.length - tail.length
  const how = `[… ${left} characters are not shown; the whole result is m${seq}: lcm_expand {"id":"m${seq}"} reads it, lcm_grep searches it …]`
  const shown: ToolMessage = { ...message, content: `${head}\n${how}\n${tail}` }
  return shown
}

/**
 * Shows tool results that are too large in part as soon as they come, where no cache knows them yet: those after the
 * last answer. The same list when there are none.
 */
export function pruneLargeResults(
  messages: readonly Message[],
  log: Pick<ConversationLog, 'find'>,
  maxTokens: number,
  tokens: TokenCounter,
): readonly Message[] {
  let pruned: Message[] | undefined
  for (let index = messages.length - 1; messages[index]?.role === 'tool'; index--) {
    const message = messages[index] as Message
    const entry = log.find(message.id ?? '')
    if (entry === undefined || tokens.countMessage(message) <= maxTokens) continue
    pruned ??= [...messages]
    pruned[index] = showMessage(entry, maxTokens)
  }
  return pruned ?? messages
}
