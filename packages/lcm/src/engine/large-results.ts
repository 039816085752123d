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

const HEAD_SHARE = 0.7
const LEAST_CHARACTERS = 120

export function showMessage({ seq, message, tokens }: WindowMessage, maxTokens: number): Message {
  if (message.role !== 'tool' || tokens <= maxTokens) return message
  // Redaction must come first: half of a secret would not be recognised.
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
