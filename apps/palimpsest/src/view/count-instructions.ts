import { isInstruction, type Message } from '@palimpsest/core'

/** How many messages at the beginning of a list are system prompts. */
export function countInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => !isInstruction(message))
  return first === -1 ? messages.length : first
}
