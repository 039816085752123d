import {
  type AssistantMessage,
  findLastUser,
  type Message,
  readSummary,
  type UserMessage,
} from '@palimpsest/core'
import { escapeBlocks } from '../render/line-text.ts'

/** Stands before a note of ours where two assistant turns would touch: law 2 wants no two in a row. */
const ASK: UserMessage = Object.freeze({ role: 'user', content: '(What is on record, for reference:)' })

/** Stands where a summary was that is shown next to the query instead. */
const POINTER = '(Earlier messages were replaced by the conversation summary before the latest message.)'

/** A note of ours as a turn of the assistant's that can stand before a user's message. `before`: what precedes it. */
export function noteTurns(text: string, before: Message | undefined): readonly Message[] {
  const note: AssistantMessage = { role: 'assistant', content: text }
  return before?.role === 'user' ? [note] : [ASK, note]
}

/** The message in the place of a summary that is shown elsewhere. */
function pointerTurn(): UserMessage {
  return { role: 'user', content: POINTER }
}

/** The system prompt with a note behind it; the note alone where there is no prompt. */
export function withNote(messages: readonly Message[], note: string): readonly Message[] {
  if (note === '') return messages
  const [first, ...rest] = messages
  if (first?.role !== 'system' && first?.role !== 'developer')
    return [{ role: 'system', content: note }, ...messages]
  const { content } = first
  const whole =
    typeof content === 'string'
      ? `${content}\n\n${note}`
      : [...content, { type: 'text' as const, text: `\n\n${note}` }]
  return [{ ...first, content: whole }, ...rest]
}

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
