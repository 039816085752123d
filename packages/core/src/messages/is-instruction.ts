import type { Message, SystemMessage } from '../spec/v1/message.ts'

/** True for the system prompt, under whichever of its two role names. */
export function isInstruction(message: Message | undefined): message is SystemMessage {
  return message?.role === 'system' || message?.role === 'developer'
}
