import {
  contentParts,
  type Message,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { resultFailed } from './result-failed.ts'

/** Thinking that a model wrote into its text. */
const THINK_BLOCK = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi

/** The text without the thinking that a model wrote into it. */
export function withoutThinking(text: string): string {
  return text.includes('<') ? text.replace(THINK_BLOCK, '').trim() : text
}

/** One message as a summariser reads it: who, what, which calls, and whether a result is a failure. */
export function serializeMessage(message: Message): string {
  const text = message.role === 'assistant' ? withoutThinking(messageText(message)) : messageText(message)
  const lines: string[] = []
  const label =
    message.role === 'tool' ? `tool result${resultFailed(message) ? ', failed' : ''}` : message.role
  const media = contentParts(message).filter((part) => part.type !== 'text' && part.type !== 'refusal')
  const placeholders = media.map((part) => `[${String(part.type).replace('_url', '')}]`).join(' ')
  const body = [text, placeholders].filter((part) => part !== '').join('\n')
  if (body !== '' || toolCallsOf(message).length === 0) lines.push(`[${label}] ${escapeTags(body)}`)
  for (const call of toolCallsOf(message)) {
    lines.push(`[assistant calls ${toolCallName(call)}] ${escapeTags(toolCallInput(call))}`)
  }
  return lines.join('\n')
}

/** Keeps a text from closing the block that it is quoted in. */
export function escapeTags(text: string): string {
  return text.includes('</')
    ? text.replace(/<\/(conversation|previous_summary|memory|focus)/gi, '<\\/$1')
    : text
}
