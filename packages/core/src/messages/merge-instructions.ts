import type { Message, SystemMessage, TextPart } from '../spec/v1/message.ts'
import { isInstruction } from './is-instruction.ts'

/** Counts the system prompts at the beginning of a list: usually one, for some hosts more. */
export function leadingInstructions(messages: readonly Message[]): number {
  let count = 0
  while (isInstruction(messages[count])) count++
  return count
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
