import { type Message, messageText, readSummary } from '@palimpsest/core'

/** The beginning of the assistant's turn that the decisions engine puts next to the query. */
const SUMMARY = /^<conversation_summary>\n([\s\S]*)\n<\/conversation_summary>$/
const RECALL = /^<recent_decisions>\n/

/** The text of the summary that a message of a projection is, whichever engine put it there. */
export function summaryOf(message: Message): string | undefined {
  if (message.role === 'assistant') return SUMMARY.exec(messageText(message))?.[1]
  return readSummary(message)
}

/** True for what an engine shows of decisions next to the query. */
export function isRecall(message: Message): boolean {
  return message.role === 'assistant' && RECALL.test(messageText(message))
}
