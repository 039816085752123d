import type { Message, SystemMessage, TextPart, UserMessage } from '../spec/v1/index.ts'
import { messageText } from './message-parts.ts'
import { isSummary } from './summary.ts'

/** True for a system prompt, in either of its two roles. */
export function isInstruction(message: Message | undefined): message is SystemMessage {
  return message?.role === 'system' || message?.role === 'developer'
}

export function leadingInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => !isInstruction(message))
  return first === -1 ? messages.length : first
}

export function mergeInstructions(first: SystemMessage, others: readonly SystemMessage[]): SystemMessage {
  if (others.length === 0) return first
  const contents = [first, ...others].map(({ content }) => content)
  if (contents.every((content) => typeof content === 'string'))
    return { ...first, content: contents.join('\n\n') }
  const parts = contents.flatMap((content): TextPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  )
  return { ...first, content: parts }
}

const INSERTED_TAGS = [
  'system-reminder',
  'local-command-stdout',
  'local-command-caveat',
  'task-notification',
  'environment_context',
  'user_instructions',
]

/** The text of a user's message without the blocks that a host inserted. */
export function ownWords(text: string): string {
  if (!text.includes('<')) return text
  let rest = text
  for (const tag of INSERTED_TAGS) {
    let start = rest.indexOf(`<${tag}>`)
    while (start !== -1) {
      const end = rest.indexOf(`</${tag}>`, start)
      rest = rest.slice(0, start) + (end === -1 ? '' : rest.slice(end + tag.length + 3))
      start = rest.indexOf(`<${tag}>`, start)
    }
  }
  return rest
}

const [OPENING, CLOSING] = ['<system-message>', '</system-message>']

/**
 * A mid-conversation instruction in the user's role, between tags: untagged, it would count as the user's last message.
 */
export function toUserMessage({ content, ...instruction }: SystemMessage): UserMessage {
  const tagged =
    typeof content === 'string'
      ? [OPENING, content, CLOSING].join('\n')
      : [textPart(OPENING), ...content, textPart(CLOSING)]
  return { ...instruction, role: 'user', content: tagged }
}

function textPart(text: string): TextPart {
  return { type: 'text', text }
}

/** The text of an instruction, in its own role or the user's; undefined for any other message. */
export function readInstruction(message: Message): string | undefined {
  if (isInstruction(message)) return messageText(message)
  const text = message.role === 'user' ? messageText(message) : ''
  const isTagged = text.startsWith(OPENING) && text.endsWith(CLOSING)
  return isTagged ? text.slice(OPENING.length, -CLOSING.length).trim() : undefined
}

/** True if the user says something in a message: not a summary, an instruction, or only inserted blocks. */
export function isSpoken(message: Message): boolean {
  if (message.role !== 'user' || isSummary(message)) return false
  const text = messageText(message).trim()
  if (!text.startsWith('<')) return true
  const { content } = message
  const isMore = Array.isArray(content) && content.some(({ type }) => type !== 'text')
  return isMore || (readInstruction(message) === undefined && ownWords(text).trim() !== '')
}

/**
 * Index of the last message that the user wrote, or -1. A message with only inserted blocks counts if the user wrote
 * nothing. Summaries never count.
 */
export function findLastUser(messages: readonly Message[]): number {
  const spoken = messages.findLastIndex(isSpoken)
  if (spoken !== -1) return spoken
  return messages.findLastIndex((message) => message.role === 'user' && !isSummary(message))
}
