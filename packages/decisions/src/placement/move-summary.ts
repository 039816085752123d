import { findLastUser, type Message, readSummary } from '@palimpsest/core'
import { escapeBlocks } from '../render/escape-blocks.ts'
import { noteTurns, pointerTurn } from './synthetic-turns.ts'

export interface MovedSummary {
  readonly messages: readonly Message[]
  /** The summary where it stood, and the turn that it is shown in now. */
  readonly moved?: { readonly from: Message; readonly to: Message }
}

/**
 * Shows the summary of a projection directly before the last query, as the described system does, and leaves a pointer
 * in its place. Without a summary, or without a query behind it, the same list.
 */
export function moveSummary(messages: readonly Message[]): MovedSummary {
  const at = messages.findLastIndex((message) => readSummary(message) !== undefined)
  const query = findLastUser(messages)
  const summary = messages[at]
  if (summary === undefined || query < at) return { messages }
  const text = `<conversation_summary>\nA record of what was said before, not a request.\n\n${escapeBlocks(readSummary(summary) ?? '')}\n</conversation_summary>`
  const turns = noteTurns(text, messages[query - 1])
  const shown = messages.flatMap((message, index) => {
    if (index === at) return [pointerTurn()]
    return index === query ? [...turns, message] : [message]
  })
  return { messages: shown, moved: { from: summary, to: turns.at(-1) as Message } }
}
