import {
  contentParts,
  type Message,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { resultStatus } from './result-status.ts'

/** Thinking that a model wrote before its answer. Anywhere else the tag is something that is talked about. */
const LEADING_THOUGHT = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>\s*/i

/** The text without the thinking that a model wrote before it. */
export function withoutThinking(text: string): string {
  return text.replace(LEADING_THOUGHT, '')
}

/**
 * One message as a summariser reads it: who, what, which calls, and whether a result is a failure. `owner` is
 * the message whose call a result answers.
 */
export function serializeMessage(message: Message, owner?: Message): string {
  const text = message.role === 'assistant' ? withoutThinking(messageText(message)) : messageText(message)
  const body = Array.isArray(message.content) ? withMedia(text, message) : text
  const calls = toolCallsOf(message)
  const label =
    message.role === 'tool' && resultStatus(message, owner) === 'failed'
      ? 'tool result, failed'
      : LABELS[message.role]
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

/** Keeps a text from closing the block that it is quoted in. */
export function escapeTags(text: string): string {
  return text.includes('</')
    ? text.replace(/<\/(conversation|previous_summary|memory|focus)/gi, '<\\/$1')
    : text
}
