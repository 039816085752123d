import { countMessages, isSummary, type Message, type TokenCounter } from '@palimpsest/core'
import { countTerms, messageTerms, type Terms } from './terms.ts'

/**
 * Messages that are kept or left out together: a question of the user, or one step of what followed, which is a
 * round of tools or the text at the end.
 */
export interface Segment {
  /** Index of its first message. */
  readonly start: number
  /** Index behind its last message. */
  readonly end: number
  readonly isQuestion: boolean
  /** Index of the segment with the question of its turn; its own for a question, -1 without a question. */
  readonly question: number
  readonly tokens: number
  readonly terms: Terms
}

/**
 * Cuts before and behind what the user said, and before each round of tools that follows another. So a step begins
 * with an assistant message, and ends with a tool result unless it ends its turn: whichever steps of a turn are left
 * out, the rest is a sequence that providers take. Linear.
 */
export function splitSegments(body: readonly Message[], tokens: TokenCounter): Segment[] {
  const segments: Segment[] = []
  let question = -1
  let start = 0
  for (let end = 1; end <= body.length; end++) {
    if (!isCut(body[end - 1], body[end])) continue
    const messages = body.slice(start, end)
    const isQuestion = isAsked(messages[0])
    if (isQuestion) question = segments.length
    const terms = countTerms(messages.flatMap((message) => [...messageTerms(message)]))
    segments.push({ start, end, isQuestion, question, tokens: countMessages(tokens, messages), terms })
    start = end
  }
  return segments
}

function isCut(before: Message | undefined, behind: Message | undefined): boolean {
  if (behind === undefined || isAsked(before) !== isAsked(behind)) return true
  return before?.role === 'tool' && behind.role === 'assistant'
}

/** True for a message of the user. A summary that another engine left stays with its neighbours. */
function isAsked(message: Message | undefined): boolean {
  return message?.role === 'user' && !isSummary(message)
}
