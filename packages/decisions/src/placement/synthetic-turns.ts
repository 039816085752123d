import {
  type AssistantMessage,
  findLastUser,
  type Message,
  readSummary,
  type UserMessage,
} from '@palimpsest/core'
import { escapeBlocks } from '../render/line-text.ts'

/** Separates a note from a previous assistant turn, because the invariants forbid two in a row. */
const ASK: UserMessage = Object.freeze({ role: 'user', content: '(What is on record, for reference:)' })

const POINTER: UserMessage = Object.freeze({
  role: 'user',
  content: '(Earlier messages were replaced by the conversation summary before the latest message.)',
})

export function noteTurns(text: string, before: Message | undefined): readonly Message[] {
  const note: AssistantMessage = { role: 'assistant', content: text }
  return before?.role === 'user' ? [note] : [ASK, note]
}

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
 * Moves a summary directly before the last query, as in the system as first described, and leaves a pointer in its
 * place. Returns the same list without a summary or a later query.
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
