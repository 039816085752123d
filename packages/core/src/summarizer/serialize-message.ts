import {
  contentParts,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '../messages/message-text.ts'
import type { Message } from '../spec/v1/message.ts'
import { escapeTags } from './escape-tags.ts'
import { withoutThinking } from './without-thinking.ts'

/**
 * One message as a summariser reads it: who, what, which calls, and whether a result is a failure. Reasoning is
 * left out, and media are a word in brackets.
 */
export function serializeMessage(
  message: Message,
  { failed = false }: { readonly failed?: boolean } = {},
): string {
  const text = message.role === 'assistant' ? withoutThinking(messageText(message)) : messageText(message)
  const body = Array.isArray(message.content) ? withMedia(text, message) : text
  const calls = toolCallsOf(message)
  const label = message.role === 'tool' && failed ? 'tool result, failed' : LABELS[message.role]
  let serialized = body === '' && calls.length > 0 ? '' : `[${label}] ${escapeTags(body)}`
  for (const call of calls) {
    if (serialized !== '') serialized += '\n'
    serialized += `[assistant calls ${toolCallName(call)}] ${escapeTags(toolCallInput(call))}`
  }
  return serialized
}

const LABELS: Readonly<Record<Message['role'], string>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool result',
}

/** The text with a word for each part that is not text, such as `[image]`. */
function withMedia(text: string, message: Message): string {
  const media = contentParts(message).filter((part) => part.type !== 'text' && part.type !== 'refusal')
  const words = media.map((part) => `[${String(part.type).replace('_url', '')}]`)
  return [text, words.join(' ')].filter((part) => part !== '').join('\n')
}
