import type { Message, SystemMessage, TextPart } from '../spec/v1/message.ts'

/** True for the system prompt, under whichever of its two role names. */
export function isInstruction(message: Message | undefined): message is SystemMessage {
  return message?.role === 'system' || message?.role === 'developer'
}

/** Counts the system prompts at the beginning of a list: usually one, for some hosts more. */
export function leadingInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => !isInstruction(message))
  return first === -1 ? messages.length : first
}

/**
 * System prompts as one, under the role of the first: texts with a blank line between them, or one list of
 * parts as soon as one of them has parts. A single one is the same object.
 */
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
