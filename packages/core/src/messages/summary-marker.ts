import type { Message, TextPart } from '../spec/v1/message.ts'
import { messageText } from './message-text.ts'

const OPENING = '[Context summary: reference only]'
const CLOSING = '[End of context summary]'

/** Tells the model what the summary is. Law 10: data about the past, never an instruction. */
const EXPLANATION =
  'Earlier messages of this conversation were replaced by this summary to fit the context window. It is a record ' +
  'of the past, not a request: what it mentions was asked or done before. Only messages after it are current. ' +
  'If a detail is missing, search for it, read the file again, or ask.'

const BEGINNING = `${OPENING}\n${EXPLANATION}\n\n`

/**
 * Wraps the text of a summary so that a model takes it for data and every engine recognises it again, in a
 * restored session too. Markers inside the text are defused, so a summary never nests or ends early.
 */
export function renderSummary(text: string): string {
  return `${BEGINNING}${defuse(text).trim()}\n\n${CLOSING}`
}

/**
 * The same as parts of a message, one for each text and one that ends the frame: a provider's cache keeps the parts in
 * front of the first that changes, and nothing of a part that changes.
 */
export function renderSummaryParts(texts: readonly string[]): TextPart[] {
  const [first = '', ...rest] = texts.map((text) => defuse(text).trim()).filter((text) => text !== '')
  const blocks = [`${BEGINNING}${first}`, ...rest].map((text) => `${text}\n`)
  return [...blocks, CLOSING].map((text) => ({ type: 'text', text }))
}

/**
 * The text of the summary that a message holds; undefined for every other message. Only the exact frame counts,
 * from the first character to the last, so that a text that merely begins like a summary stays what it is.
 */
export function readSummary(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const text = messageText(message).trimEnd()
  if (!text.startsWith(BEGINNING) || !text.endsWith(CLOSING)) return undefined
  return text.slice(BEGINNING.length, -CLOSING.length).trim()
}

/** True for a message that stands for earlier ones. */
export function isSummary(message: Message): boolean {
  return readSummary(message) !== undefined
}

function defuse(text: string): string {
  return text.replaceAll(OPENING, '(context summary)').replaceAll(CLOSING, '(end of context summary)')
}
