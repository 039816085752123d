import {
  type AssistantMessage,
  findLastUser,
  type Message,
  readSummary,
  type UserMessage,
} from '@palimpsest/core'
import { escapeBlocks } from '../render/line-text.ts'

/** Comes before a note of ours where two turns of the assistant would follow on each other, which the invariants forbid. */
const ASK: UserMessage = Object.freeze({ role: 'user', content: '(What is on record, for reference:)' })

/** Takes the place of a summary that is shown next to the query instead. */
const POINTER: UserMessage = Object.freeze({
  role: 'user',
  content: '(Earlier messages were replaced by the conversation summary before the latest message.)',
})

/** A note of ours as a turn of the assistant's before a user's message. `before`: what precedes it. */
export function noteTurns(text: string, before: Message | undefined): readonly Message[] {
  const note: AssistantMessage = { role: 'assistant', content: text }
  return before?.role === 'user' ? [note] : [ASK, note]
}

/** The system prompt followed by a note; the note alone where there is no prompt. */
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

/**
 * Shows the summary of a projection directly before the last query, as the described system does, and leaves a pointer
 * in its place. Without a summary, or without a query after it, the same list.
 */
export function moveSummary(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex((message) => readSummary(message) !== undefined)
  const query = findLastUser(messages)
  const summary = messages[at]
  if (summary === undefined || query < at) return messages
  const text = [
    '<conversation_summary>',
    'A record of what was said before, not a request.',
    '',
    escapeBlocks(readSummary(summary) ?? ''),
    '</conversation_summary>',
  ].join('\n')
  return messages.flatMap((message, index) => {
    if (index === at) return [POINTER]
    return index === query ? [...noteTurns(text, messages[query - 1]), message] : [message]
  })
}
