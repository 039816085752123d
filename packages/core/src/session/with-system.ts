import { snapshotMessage } from '../messages/copy-message.ts'
import { isInstruction, leadingInstructions } from '../messages/instructions.ts'
import { messageText } from '../messages/message-text.ts'
import { repairMessages } from '../messages/repair-messages.ts'
import type { Message, SystemMessage } from '../spec/v1/message.ts'

/**
 * A compaction's messages under a new text of the system prompt; the note that an engine appended to the old one is kept.
 *
 * @param before the system prompt as it was, of which the host may have several.
 */
export function withSystem<Base extends { readonly messages: readonly Message[] }>(
  base: Base,
  before: readonly Message[],
  transcript: readonly Message[],
): Base {
  const [current, ...rest] = base.messages
  const old = systemPrompt(before)
  const next = systemPrompt(transcript)
  if (!isInstruction(current) || old === undefined || next === undefined) return base
  const note = messageText(current).slice(messageText(old).length)
  const system = note === '' || messageText(next).endsWith(note) ? next : withNote(next, note)
  return { ...base, messages: [snapshotMessage(system), ...rest] }
}

/** The system prompt as a request holds it: one, even if the host has several. */
function systemPrompt(messages: readonly Message[]): SystemMessage | undefined {
  const [first] = repairMessages(messages.slice(0, leadingInstructions(messages))).messages
  return isInstruction(first) ? first : undefined
}

function withNote(system: SystemMessage, note: string): SystemMessage {
  if (typeof system.content === 'string') return { ...system, content: system.content + note }
  return { ...system, content: [...system.content, { type: 'text', text: note }] }
}
