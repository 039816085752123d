import { findLastUser, type Message, readSummary } from '@palimpsest/core'
import { escapeBlocks } from '../render/escape-blocks.ts'
import { noteTurns, pointerTurn } from './synthetic-turns.ts'

/**
 * Shows the summary of a projection directly before the last query, as the described system does, and leaves a pointer
 * in its place. Without a summary, or without a query behind it, the same list.
 */
export function moveSummary(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex((message) => readSummary(message) !== undefined)
  const query = findLastUser(messages)
  const summary = messages[at]
  if (summary === undefined || query < at) return messages
  const text = `<conversation_summary>\nA record of what was said before, not a request.\n\n${escapeBlocks(readSummary(summary) ?? '')}\n</conversation_summary>`
  return messages.flatMap((message, index) => {
    if (index === at) return [pointerTurn()]
    if (index === query) return [...noteTurns(text, messages[index - 1]), message]
    return [message]
  })
}
