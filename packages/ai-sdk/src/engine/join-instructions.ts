import { isInstruction, type Message, messageText, type SystemMessage } from '@palimpsest/core'
import type { Instructions, ModelMessage } from 'ai'

/**
 * The system prompt as an engine sees it: the instructions, and system messages at the beginning of the messages, which
 * the AI SDK takes when it is told to. Undefined without any.
 */
export function joinInstructions(
  instructions: Instructions | undefined,
  leading: readonly ModelMessage[],
): SystemMessage | undefined {
  const own = instructions === undefined ? [] : [instructions].flat()
  const texts = [...own, ...leading]
    .map((part) => (typeof part === 'string' ? part : part.content))
    .filter((text): text is string => typeof text === 'string' && text !== '')
  const [only] = texts
  if (only === undefined) return undefined
  return {
    role: 'system',
    content: texts.length === 1 ? only : texts.map((text) => ({ type: 'text', text })),
  }
}

/**
 * The instructions with what an engine appended to the system prompt; the same when it appended nothing. The text before
 * stays as it was, so that a provider's cache of it holds.
 */
export function withNote(
  instructions: Instructions | undefined,
  own: SystemMessage | undefined,
  sent: Message | undefined,
): Instructions | undefined {
  if (sent === undefined || !isInstruction(sent)) return instructions
  const before = own === undefined ? '' : messageText(own)
  const note = messageText(sent).slice(before.length)
  if (note.trim() === '') return instructions
  if (instructions === undefined) return note.trimStart()
  if (typeof instructions === 'string') return instructions + note
  return [...[instructions].flat(), { role: 'system', content: note.trimStart() }]
}
